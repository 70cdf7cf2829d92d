import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { includes, type PersonRole } from "../../src/domain/people/role.ts";
import { sessionInfo } from "../api/queries.ts";
import { useMay } from "../api/role.ts";

/** What needs a role: shown to those who have it, to the others who could do it. */
export function May(props: {
  readonly do: PersonRole;
  /** What the others could do, where it is not plain from what is around it. */
  readonly what?: string;
  readonly children: ReactNode;
}) {
  const { do: needed, what = acts[needed], children } = props;
  return useMay(needed) ? children : <WhoCould needed={needed} what={what} />;
}

const acts: { readonly [role in PersonRole]: string } = {
  look: "see this",
  decide: "decide this",
  run: "start this",
};

function WhoCould({ needed, what }: { readonly needed: PersonRole; readonly what: string }) {
  const { data } = useQuery(sessionInfo);
  if (data === undefined) return null;
  const able = data.people.filter((person) => includes(person.role, needed));
  const names = new Intl.ListFormat("en", { type: "disjunction" });
  const who =
    able.length === 0 ? "Whoever runs this studio" : names.format(able.map((p) => p.name));
  return (
    <p className="soft">
      {who} can {what} (role {needed}).
    </p>
  );
}
