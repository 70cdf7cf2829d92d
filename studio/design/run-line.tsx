import { Link } from "@tanstack/react-router";
import type { Run } from "../api/queries.ts";
import { NotByModel, StateBadge } from "./state-badge.tsx";
import { Time } from "./time.tsx";

/** A run in a list, leading to its page. */
export function RunLine({ run }: { readonly run: Run }) {
  return (
    <RunLink run={run} className="list-line">
      <span className="title">{run.title}</span>
      <StateBadge run={run} />
      <span className="row soft">
        <span>{run.kind}</span>
        <NotByModel deciders={run.deciders} />
      </span>
      <Time at={run.updated_at} />
    </RunLink>
  );
}

export function RunLink(props: {
  readonly run: Pick<Run, "run_id" | "kind">;
  readonly className?: string;
  readonly children: React.ReactNode;
}) {
  const { run, className = "", children } = props;
  const params = { run: run.run_id };
  return run.kind === "draft" ? (
    <Link to="/drafts/$run" params={params} className={className}>
      {children}
    </Link>
  ) : (
    <Link to="/runs/$run" params={params} className={className}>
      {children}
    </Link>
  );
}
