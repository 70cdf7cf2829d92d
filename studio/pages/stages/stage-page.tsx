import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { AbsentPage } from "../../design/absent-page.tsx";
import { GateSection } from "../../design/gate-section.tsx";
import { PageTitle } from "../../design/page-title.tsx";
import { Failure } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { ConfirmStage } from "./confirm-stage.tsx";
import { DocumentList } from "./document-list.tsx";
import { gateWords } from "./gate-words.ts";
import { NextStep } from "./next-step.tsx";
import { OpenFindings } from "./open-findings.tsx";
import { ReopenStage } from "./reopen-stage.tsx";
import { Repairs } from "./repairs.tsx";
import { StageHistory } from "./stage-history.tsx";
import { type Stage, type StageDetail, stageOf } from "./stage-queries.ts";

/** One stage: what is next, what still blocks its closing, what was repaired and proven, and its papers. */
export function StagePage() {
  const { stage } = useParams({ from: "/stages/$stage" });
  const { data, error, refetch } = useQuery(stageOf(stage));
  const retry = (): void => void refetch();
  if (data === undefined) return <AbsentPage error={error} onRetry={retry} list="/stages" />;
  return (
    <div className="page">
      {error !== null && <Failure error={error} onRetry={retry} />}
      <StageHead detail={data} />
      <div className="two">
        <div className="stack">
          <ClosingGate detail={data} />
          <NextStep detail={data} />
          <OpenFindings detail={data} />
        </div>
        <StageHistory history={data.stage.history} />
      </div>
      <Repairs repairs={data.repairs} />
      <DocumentList detail={data} />
    </div>
  );
}

function StageHead({ detail }: { readonly detail: StageDetail }) {
  const { stage } = detail;
  const { tone, text } = gateWords[stage.stage_closing_gate.status];
  return (
    <div className="page-head">
      <div>
        <p className="soft">
          <Link to="/stages">Stages</Link>
        </p>
        <PageTitle>{stage.module_name}</PageTitle>
        <div className="row">
          <span className={`badge ${tone}`}>{text}</span>
          {stage.is_at_work && <span className="badge busy">A coder is running</span>}
          <span className="mono soft">{stage.stage_id}</span>
          {stage.updated_at !== "" && <Time at={stage.updated_at} />}
        </div>
      </div>
      <ConfirmStage detail={detail} />
      <ReopenStage detail={detail} />
    </div>
  );
}

function titleOf({ accepted_gate, stage_closing_gate: { status } }: Stage): string {
  if (status === "closed") return "Closed";
  return accepted_gate ? "Nothing blocks closing" : "What still blocks closing";
}

function ClosingGate({ detail: { stage } }: { readonly detail: StageDetail }) {
  const { status, reasons } = stage.stage_closing_gate;
  const closed = stage.history.findLast(({ event }) => event.kind === "stage-closed");
  return (
    <GateSection
      label="Closing gate"
      isPassed={stage.accepted_gate}
      title={titleOf(stage)}
      reasons={reasons}
      aside={
        <span className="soft">
          the loop's verdict: {stage.loop_accepted_gate ? "accepted" : "not accepted"}
        </span>
      }
    >
      {status === "ready_for_manual_confirmation" && (
        <p>Check the assistant yourself, then confirm to close the stage.</p>
      )}
      {stage.decision_needed !== null && (
        <p>
          Decision needed: <strong>{stage.decision_needed}</strong>
        </p>
      )}
      {stage.not_by_model !== null && (
        <p className="soft">The latest loop was {stage.not_by_model}.</p>
      )}
      {status.startsWith("closed") && closed?.event.kind === "stage-closed" && (
        <p>
          Confirmed by <strong>{closed.event.confirmed_by}</strong>
          {closed.event.reason !== null && `: ${closed.event.reason}`} <Time at={closed.at} />
        </p>
      )}
      {stage.changed_evidence.length > 0 && (
        <div className="notice wait">
          <strong>
            Files changed after they were recorded, so they no longer count as evidence.
          </strong>
          {stage.changed_evidence.map((file) => (
            <span key={file} className="mono">
              {file}
            </span>
          ))}
        </div>
      )}
      {stage.saved_pack !== null && (
        <p className="soft">
          The accepted pack is kept as <span className="mono">{stage.saved_pack}</span>
        </p>
      )}
    </GateSection>
  );
}
