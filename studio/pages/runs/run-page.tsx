import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { runOf } from "../../api/queries.ts";
import { cost, seconds, tokens } from "../../design/amounts.ts";
import { StateBadge } from "../../design/state-badge.tsx";
import { Failure, Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { CallList } from "./call-list.tsx";

/** A run of any kind: its state and its calls. */
export function RunPage() {
  const { run } = useParams({ from: "/runs/$run" });
  const { data, error, isPending, refetch } = useQuery(runOf(run));
  if (isPending) return <Loading />;
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{data.title}</h1>
          <div className="row">
            <StateBadge run={data} />
            <span className="badge">{data.kind}</span>
            <span className="soft">
              {tokens(data.spent)}, {cost(data.spent)}, {seconds(data.spent.seconds)}
            </span>
            <Time at={data.updated_at} />
          </div>
        </div>
      </div>
      {data.ending?.message != null && <p className="notice wait">{data.ending.message}</p>}
      <CallList run={run} />
    </div>
  );
}
