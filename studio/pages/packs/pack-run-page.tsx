import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { runOutcome } from "../../../src/domain/scenarios/run-outcome.ts";
import { useKeys } from "../../app/use-keys.ts";
import { AbsentPage } from "../../design/absent-page.tsx";
import { plural } from "../../design/amounts.ts";
import { KeyHint } from "../../design/key-hint.tsx";
import { May } from "../../design/may.tsx";
import { PageTitle } from "../../design/page-title.tsx";
import { PartButton } from "../../design/part-button.tsx";
import { Failure, Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { countedSteps } from "./counted-steps.ts";
import { GateCard } from "./gate-card.tsx";
import { packOf, type Report, reportOf, type Scenario, verdictOf } from "./pack-queries.ts";
import { PackTrail } from "./pack-trail.tsx";
import styles from "./packs.module.css";
import { RepeatRun } from "./repeat-run.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { StepCard } from "./step-card.tsx";

const from = "/packs/$pack/runs/$run";

/** One run as the conversation it was, with the checks beside each answer. */
export function PackRunPage() {
  const { pack, run } = useParams({ from });
  const { data, error, isPending, refetch } = useQuery(reportOf(run));
  // What comes in late above the transcript would push the step that a link leads to out of sight.
  const isJudged = !useQuery(verdictOf(run)).isPending;
  const retry = (): void => void refetch();
  if (data === undefined && error !== null) {
    return <AbsentPage error={error} onRetry={retry} list="/packs" />;
  }
  return (
    <div className="page">
      <RunHead pack={pack} run={run} report={data} />
      {(isPending || (data !== undefined && !isJudged)) && <Loading lines={5} />}
      {error !== null && <Failure error={error} onRetry={retry} />}
      {data !== undefined && isJudged && (
        <>
          <GateCard report={data} />
          <Transcript report={data} />
        </>
      )}
    </div>
  );
}

function RunHead(props: {
  readonly pack: string;
  readonly run: string;
  readonly report: Report | undefined;
}) {
  const { pack, run, report } = props;
  const { data } = useQuery(packOf(pack));
  const runs = (data?.runs ?? []).filter(({ state }) => state === "finished");
  const at = runs.findIndex(({ run_id }) => run_id === run);
  const own = runs[at];
  const earlier = at < 0 ? undefined : runs[at + 1];
  return (
    <div className="page-head">
      <div>
        <PackTrail pack={pack} />
        <PageTitle>{report?.title ?? "A run"}</PageTitle>
        <div className="row">
          {report !== undefined && (
            <StatusBadge
              status={runOutcome({ accepted: report.accepted, finalStatus: report.final_status })}
            />
          )}
          {own !== undefined && (
            <span className="soft">
              {own.steps_passed} of {plural(own.steps, "step")} passed
            </span>
          )}
          {own?.started_at != null && <Time at={own.started_at} />}
          {own?.stage_id != null && (
            <Link to="/stages/$stage" params={{ stage: own.stage_id }}>
              stage {own.stage_id}
            </Link>
          )}
          <Link to="/runs/$run" params={{ run }} className="soft">
            calls and cost
          </Link>
        </div>
      </div>
      <div className="row">
        {report !== undefined && (
          <May do="run">
            <RepeatRun report={report} />
          </May>
        )}
        {earlier !== undefined && (
          <Link
            to="/packs/$pack/compare"
            params={{ pack }}
            search={{ before: earlier.run_id, after: run }}
            className="button"
          >
            Compare with the run before
          </Link>
        )}
      </div>
    </div>
  );
}

/** One scenario at a time; scenario and step are part of the address. */
function Transcript({ report }: { readonly report: Report }) {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const { scenarios } = report;
  const scenario =
    scenarios.find(({ scenario_id }) => scenario_id === search.scenario) ??
    scenarios.find((one) => countedSteps(one.steps).failed > 0) ??
    scenarios[0];
  const steps = scenario?.steps ?? [];
  const at = steps.findIndex(({ step_id }) => step_id === search.step);
  const go = (next: { readonly scenario: string; readonly step?: string }): void =>
    void navigate({ search: next, replace: true, resetScroll: false });
  const move = (by: number): void => {
    const next = steps[Math.max(0, Math.min(at + by, steps.length - 1))];
    if (scenario === undefined || next === undefined) return;
    go({ scenario: scenario.scenario_id, step: next.step_id });
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  if (scenario === undefined) return <p className="soft">The pack has no scenario.</p>;
  return (
    <div className={styles.transcript}>
      <nav aria-label="Scenarios" className="stack tight">
        {scenarios.map((one) => (
          <ScenarioButton
            key={one.scenario_id}
            scenario={one}
            isCurrent={one === scenario}
            onChoose={() => go({ scenario: one.scenario_id })}
          />
        ))}
      </nav>
      <div className="stack">
        <div className="page-head">
          <div>
            <h2>{scenario.title}</h2>
            <KeyHint>
              <kbd>j</kbd> <kbd>k</kbd> for the next and the previous step
            </KeyHint>
          </div>
        </div>
        {steps.map((step) => (
          <StepCard
            key={step.step_id}
            step={step}
            at={{ run: report.run_id, scenario: scenario.scenario_id }}
            isChosen={step.step_id === search.step}
          />
        ))}
      </div>
    </div>
  );
}

function ScenarioButton(props: {
  readonly scenario: Scenario;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}) {
  const { scenario, isCurrent, onChoose } = props;
  const { all, failed } = countedSteps(scenario.steps);
  return (
    <PartButton tone={failed === 0 ? "good" : "wait"} isCurrent={isCurrent} onChoose={onChoose}>
      {scenario.title}
      <span className="soft">
        {failed === 0
          ? `${plural(all, "step")}, all accepted`
          : `${failed} of ${plural(all, "step")} not accepted`}
      </span>
    </PartButton>
  );
}
