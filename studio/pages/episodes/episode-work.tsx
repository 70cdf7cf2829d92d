import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { ask } from "../../api/client.ts";
import { useLiveText } from "../../api/live.ts";
import { runOf } from "../../api/queries.ts";
import { StateBadge } from "../../design/state-badge.tsx";
import { Failure } from "../../design/states.tsx";

/** Starts drafts or reviews, of one text or of all, and shows what goes on until it is over. */
export function EpisodeWork(props: { readonly episode: string; readonly asset?: string }) {
  const { episode, asset } = props;
  const params = { episode_id: episode };
  const body = asset === undefined ? {} : { asset_ids: [asset] };
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ["episodes"] });
  const work = useMutation({
    mutationFn: (what: "draft" | "review") =>
      what === "draft"
        ? ask("POST /api/v1/episodes/:episode_id/draft", {
            params,
            body: { ...body, ...(asset === undefined ? {} : { anew: true }) },
          })
        : ask("POST /api/v1/episodes/:episode_id/review", { params, body }),
    onSettled,
  });
  const which = asset === undefined ? " all" : "";
  return (
    <div className="stack tight">
      <div className="row end">
        <button
          type="button"
          className="button"
          disabled={work.isPending}
          onClick={() => work.mutate("draft")}
        >
          Draft{which === "" ? " more" : " what is missing"}
        </button>
        <button
          type="button"
          className="button primary"
          disabled={work.isPending}
          onClick={() => work.mutate("review")}
        >
          Review{which}
        </button>
      </div>
      {work.error !== null && <Failure error={work.error} />}
      {work.data !== undefined && <Progress run={work.data.run_id} onEnd={onSettled} />}
    </div>
  );
}

function Progress({ run, onEnd }: { readonly run: string; readonly onEnd: () => void }) {
  const { data } = useQuery(runOf(run));
  const isMoving = data === undefined || data.state === "running" || data.state === "queued";
  const said = useLiveText(run, isMoving);
  useEffect(() => {
    if (!isMoving) onEnd();
  }, [isMoving, onEnd]);
  return (
    <div className="notice" role="status">
      <span className="row">
        {data !== undefined && <StateBadge run={data} />}
        <Link to="/runs/$run" params={{ run }}>
          Open the run
        </Link>
        {said !== undefined && <span className="soft">{said.role} is at work</span>}
      </span>
    </div>
  );
}
