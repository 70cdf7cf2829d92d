import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useRef } from "react";
import { ask } from "../../api/client.ts";
import { Failure } from "../../design/states.tsx";
import { notify } from "../../design/toasts.tsx";
import { countedSteps } from "./counted-steps.ts";
import type { Report } from "./pack-queries.ts";

/** Asks the questions again: all, those of the open scenario, or those that failed. */
export function RepeatRun({ report }: { readonly report: Report }) {
  const { scenario } = useSearch({ from: "/packs/$pack/runs/$run" });
  const navigate = useNavigate();
  const key = useRef(crypto.randomUUID());
  const repeat = useMutation({
    mutationFn: (scenarios: readonly string[] | undefined) =>
      ask(
        "POST /api/v1/pack-runs/:run_id/repeat",
        {
          params: { run_id: report.run_id },
          body: scenarios === undefined ? {} : { scenarios: [...scenarios] },
        },
        { "idempotency-key": key.current },
      ),
    onSuccess: ({ run_id }) => {
      notify({ title: "The questions are being asked again" });
      return navigate({ to: "/runs/$run", params: { run: run_id } });
    },
    onSettled: () => {
      key.current = crypto.randomUUID();
    },
  });
  const failed = report.scenarios
    .filter(({ steps }) => countedSteps(steps).failed > 0)
    .map(({ scenario_id }) => scenario_id);
  const isPart = failed.length > 0 && failed.length < report.scenarios.length;
  return (
    <div className="stack tight">
      <div className="row end">
        <button
          type="button"
          className="button"
          disabled={repeat.isPending}
          onClick={() => repeat.mutate(undefined)}
        >
          Run again
        </button>
        {isPart && (
          <button
            type="button"
            className="button"
            disabled={repeat.isPending}
            onClick={() => repeat.mutate(failed)}
          >
            Run what failed
          </button>
        )}
        {scenario !== undefined && report.scenarios.length > 1 && (
          <button
            type="button"
            className="button"
            disabled={repeat.isPending}
            onClick={() => repeat.mutate([scenario])}
          >
            Run this scenario
          </button>
        )}
      </div>
      {repeat.error !== null && <Failure error={repeat.error} />}
    </div>
  );
}
