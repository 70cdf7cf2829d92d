import { Link } from "@tanstack/react-router";
import type { Run } from "../api/queries.ts";
import { kindWords, placeOfRun } from "./run-place.ts";
import { NotByModel, StateBadge } from "./state-badge.tsx";
import { Time } from "./time.tsx";

/** A run in a list, leading to what it is about. */
export function RunLine({ run }: { readonly run: Run }) {
  return (
    <Link {...placeOfRun(run)} className="list-line">
      <span className="title">{run.title}</span>
      <StateBadge run={run} />
      <span className="row soft">
        <span>{kindWords(run.kind)}</span>
        <NotByModel deciders={run.deciders} />
      </span>
      <Time at={run.updated_at} />
    </Link>
  );
}
