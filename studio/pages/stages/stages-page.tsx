import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CLOSING_STATUSES } from "../../../src/domain/stages/closing-gate.ts";
import { NEXT_ACTIONS } from "../../../src/domain/stages/next-action.ts";
import { plural } from "../../design/amounts.ts";
import { PageTitle } from "../../design/page-title.tsx";
import { Empty, Failure, Loading } from "../../design/states.tsx";
import { Time } from "../../design/time.tsx";
import { gateWords } from "./gate-words.ts";
import { type StageLine, stages } from "./stage-queries.ts";
import styles from "./stages.module.css";

/** Every stage by how far it is from its closing, with what it needs next. */
export function StagesPage() {
  const { data, error, isPending, refetch } = useQuery(stages);
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <PageTitle>Stages</PageTitle>
          <p className="soft">From the first replay to a person's confirmation.</p>
        </div>
      </div>
      {isPending && <Loading />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.damaged.map(({ folder, problem }) => (
        <p key={folder} role="alert" className="notice bad">
          {problem}
        </p>
      ))}
      {data !== undefined && data.stages.length + data.damaged.length === 0 && (
        <section className="card">
          <Empty title="No stages yet">
            <p>
              A stage takes one pack from its plan to your confirmation;{" "}
              <code>signoff stage plan</code> begins one. This command makes a project with a stage
              in progress:
            </p>
            <pre className="command">signoff demo --studio --open</pre>
          </Empty>
        </section>
      )}
      {data !== undefined && data.stages.length > 0 && (
        <div className={styles.board}>
          {columnsOf(data.stages).map(({ status, stages: own }) => (
            <Column key={status} title={gateWords[status].text} stages={own} />
          ))}
        </div>
      )}
    </div>
  );
}

/** One for each status; lost evidence is rare, and has a column only when there is any. */
function columnsOf(all: readonly StageLine[]) {
  return CLOSING_STATUSES.map((status) => ({
    status,
    stages: all.filter((one) => one.stage_closing_gate.status === status),
  })).filter(({ status, stages: own }) => status !== "closed_evidence_lost" || own.length > 0);
}

function Column(props: { readonly title: string; readonly stages: readonly StageLine[] }) {
  const { title, stages: own } = props;
  return (
    <section aria-label={title} className={styles.column}>
      <h2>
        {title} <span className="soft">{own.length}</span>
      </h2>
      <ul className="stack">
        {own.map((stage) => (
          <li key={stage.stage_id}>
            <StageCard stage={stage} />
          </li>
        ))}
      </ul>
      {own.length === 0 && <p className="soft">None</p>}
    </section>
  );
}

function StageCard({ stage }: { readonly stage: StageLine }) {
  const { reasons } = stage.stage_closing_gate;
  return (
    <Link
      to="/stages/$stage"
      params={{ stage: stage.stage_id }}
      className={`card ${styles.stageCard}`}
    >
      <strong>{stage.module_name}</strong>
      <span className="mono soft">{stage.stage_id}</span>
      <span>{NEXT_ACTIONS[stage.next_action]}</span>
      {reasons.length > 0 && <span className="soft">{reasons.join("; ")}</span>}
      <span className="row soft">
        {stage.is_at_work && <span className="badge busy">A coder is running</span>}
        {stage.repairs > 0 && <span>{plural(stage.repairs, "repair")}</span>}
        {stage.validations > 0 && <span>{plural(stage.validations, "validation")}</span>}
        {stage.updated_at !== "" && <Time at={stage.updated_at} />}
      </span>
    </Link>
  );
}
