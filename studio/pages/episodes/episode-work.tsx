import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { ask } from "../../api/client.ts";
import { useLiveTexts } from "../../api/live.ts";
import { runOf } from "../../api/queries.ts";
import { StateBadge } from "../../design/state-badge.tsx";
import { Failure } from "../../design/states.tsx";

/** Starts drafts or reviews of one text or of all, and shows their progress. */
export function EpisodeWork(props: { readonly episode: string; readonly asset?: string }) {
  const { episode, asset } = props;
  const params = { episode_id: episode };
  const body = asset === undefined ? {} : { asset_ids: [asset] };
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ["episodes"] });
  // A click that is sent twice, or again because no answer came, is one piece of work.
  const keys = useRef({ draft: crypto.randomUUID(), review: crypto.randomUUID() });
  const work = useMutation({
    mutationFn: (what: "draft" | "review") => {
      const key = { "idempotency-key": keys.current[what] };
      const anew = asset === undefined ? {} : { anew: true };
      return what === "draft"
        ? ask(
            "POST /api/v1/episodes/:episode_id/draft",
            { params, body: { ...body, ...anew } },
            key,
          )
        : ask("POST /api/v1/episodes/:episode_id/review", { params, body }, key);
    },
    onSuccess: (_, what) => {
      keys.current[what] = crypto.randomUUID();
    },
    onSettled,
  });
  const started = useStarted(work.data?.run_id);
  const isBusy = work.isPending || started.isMoving;
  const which = asset === undefined ? " all" : "";
  return (
    <div className="stack tight">
      <div className="row end">
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => work.mutate("draft")}
        >
          Draft{which === "" ? " more" : " what is missing"}
        </button>
        <button
          type="button"
          className="button primary"
          disabled={isBusy}
          onClick={() => work.mutate("review")}
        >
          Review{which}
        </button>
      </div>
      {work.error !== null && <Failure error={work.error} />}
      {work.data !== undefined && (
        <Progress run={work.data.run_id} started={started} onEnd={onSettled} />
      )}
    </div>
  );
}

/** The run that was started here; one without a known state counts as running. */
function useStarted(run: string | undefined) {
  const { data } = useQuery({ ...runOf(run ?? ""), enabled: run !== undefined });
  const isAtWork = data === undefined || data.state === "running" || data.state === "queued";
  return { data, isMoving: run !== undefined && isAtWork };
}

function Progress(props: {
  readonly run: string;
  readonly started: ReturnType<typeof useStarted>;
  readonly onEnd: () => void;
}) {
  const { run, onEnd } = props;
  const { data, isMoving } = props.started;
  const said = useLiveTexts(run, isMoving).at(-1);
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
        {said !== undefined && <span className="soft">{said.role} is working</span>}
      </span>
    </div>
  );
}
