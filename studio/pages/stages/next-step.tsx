import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { NEXT_ACTIONS } from "../../../src/domain/stages/next-action.ts";
import { CopyCommand } from "../../design/copy-command.tsx";
import { DecisionDialog } from "../../design/decision-dialog.tsx";
import { May } from "../../design/may.tsx";
import { More } from "../../design/more.tsx";
import { Failure } from "../../design/states.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { type Offer, offeredSteps } from "./offered-steps.ts";
import type { StageDetail } from "./stage-queries.ts";
import { useStageSteps } from "./use-stage-steps.ts";

/** What the stage needs next, to be done here; the same steps as commands below. */
export function NextStep({ detail }: { readonly detail: StageDetail }) {
  const { stage, loop } = detail;
  return (
    <section className="card" aria-label="Next step">
      <header>
        <h2>Next: {NEXT_ACTIONS[stage.next_action]}</h2>
      </header>
      <div className="inside stack">
        <ReadFirst detail={detail} />
        {loop !== null && (
          <p>
            {loop.is_playing ? "The questions are being asked. " : "The loop has not finished. "}
            <Link to="/runs/$run" params={{ run: loop.run_id }}>
              Follow the run
            </Link>
          </p>
        )}
        <Steps detail={detail} />
        <More summary="The same from a terminal, in the project's folder">
          <div className="stack tight">
            {stage.next_step_guidance.command_templates.map((command) => (
              <CopyCommand key={command} command={command} />
            ))}
          </div>
        </More>
      </div>
    </section>
  );
}

function Steps({ detail }: { readonly detail: StageDetail }) {
  const { act, said } = useStageSteps(detail);
  const [asking, setAsking] = useState<"import" | "continue" | "stop">();
  const offered = offeredSteps(detail);
  const close = (): void => setAsking(undefined);
  const start = ({ step }: Offer): void => {
    if (step === "import") setAsking("import");
    else if (step !== "decide") act.mutate({ step });
  };
  const steps = offered.filter(({ step }) => step !== "decide");
  return (
    <>
      {steps.length > 0 && (
        <May do="run">
          <Buttons detail={detail} offered={steps} isBusy={act.isPending} onStart={start} />
        </May>
      )}
      {steps.length < offered.length && (
        <May do="decide">
          <div className="row">
            <button type="button" className="button primary" onClick={() => setAsking("continue")}>
              Continue
            </button>
            <button type="button" className="button" onClick={() => setAsking("stop")}>
              Stop
            </button>
          </div>
        </May>
      )}
      {act.error !== null && asking === undefined && <Failure error={act.error} />}
      <div role="status">
        {said.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {asking === "import" && <ImportDialog act={act} onClose={close} />}
      {(asking === "continue" || asking === "stop") && (
        <DecisionDialog
          title={asking === "continue" ? "Continue" : "Stop"}
          label="Comment, for the analyst, the coder and the hand-off"
          action={asking === "continue" ? "Continue" : "Stop"}
          isOptional
          decide={(comment) => act.mutateAsync({ step: "decide", choice: asking, comment })}
          onClose={close}
        >
          {detail.stage.decision_needed !== null && <p>{detail.stage.decision_needed}</p>}
        </DecisionDialog>
      )}
    </>
  );
}

function Buttons(props: {
  readonly detail: StageDetail;
  readonly offered: readonly Offer[];
  readonly isBusy: boolean;
  readonly onStart: (offer: Offer) => void;
}) {
  const { detail, offered, isBusy, onStart } = props;
  const blocked = offered.find(({ problem }) => problem !== undefined);
  return (
    <>
      <div className="row">
        {offered.map((offer, at) => (
          <button
            key={offer.step}
            type="button"
            className={at === 0 ? "button primary" : "button"}
            disabled={isBusy || offer.problem !== undefined}
            onClick={() => onStart(offer)}
          >
            {offer.label}
          </button>
        ))}
      </div>
      {blocked !== undefined && <Blocked detail={detail} offer={blocked} />}
    </>
  );
}

/** A program needs a person's trust, which is given at a terminal; the command for it is among the stage's own. */
function Blocked(props: { readonly detail: StageDetail; readonly offer: Offer }) {
  const { stage } = props.detail;
  const trust = stage.next_step_guidance.command_templates.find((command) =>
    command.startsWith("signoff trust "),
  );
  return (
    <div className="notice wait">
      <strong>{props.offer.problem}</strong>
      {trust === undefined ? (
        <span>{props.offer.hint}</span>
      ) : (
        <>
          <span>To trust it, once, in the project's folder:</span>
          <CopyCommand command={trust} />
        </>
      )}
    </div>
  );
}

function ReadFirst({ detail: { stage, documents } }: { readonly detail: StageDetail }) {
  const { read } = stage.next_step_guidance;
  if (read.length === 0) return null;
  return (
    <div className="stack tight">
      <h3 className="soft">Read first</h3>
      <ul className="stack tight">
        {read.map((file) => {
          const known = documents.find(({ name }) => file.endsWith(`/${name}`));
          return (
            <li key={file} className="mono">
              {known === undefined ? (
                file
              ) : (
                <Link
                  to="/stages/$stage"
                  params={{ stage: stage.stage_id }}
                  search={{ document: known.document_id }}
                  hash="documents"
                >
                  {known.name}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
