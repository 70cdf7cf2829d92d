import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { excerpt } from "../../../src/domain/scenarios/folded-text.ts";
import { ask } from "../../api/client.ts";
import { type InboxItem, runOf, sessionOf, turnsOf } from "../../api/queries.ts";
import { useMay } from "../../api/role.ts";
import { useKeys } from "../../app/use-keys.ts";
import { OpenItem } from "../../design/at-work.tsx";
import { DecisionDialog } from "../../design/decision-dialog.tsx";
import { May } from "../../design/may.tsx";
import { longestTitle } from "../../design/page-title.tsx";
import { Failure, Loading } from "../../design/states.tsx";
import { DecisionCard } from "../draft/decision-card.tsx";
import { DraftActions } from "../draft/draft-actions.tsx";
import { IssueList } from "../draft/issue-list.tsx";
import { Rulings } from "../draft/rulings.tsx";
import { ConfirmStage } from "../stages/confirm-stage.tsx";
import { NextStep } from "../stages/next-step.tsx";
import { stageOf } from "../stages/stage-queries.ts";
import { attentionOf } from "./item-words.ts";

type RunItem = Extract<InboxItem, { readonly run_id: string }>;
type StageItem = Exclude<InboxItem, RunItem>;

interface Shown {
  readonly item: RunItem;
  readonly onDecided: () => void;
}

/** What is asked, with enough beside it to decide. */
export function ItemDetail({
  item,
  onDecided,
}: {
  readonly item: InboxItem;
  readonly onDecided: () => void;
}) {
  return (
    <section className="stack" aria-label="The chosen item">
      <OpenItem item={attentionOf(item)} />
      {item.kind === "question" && <Question item={item} onDecided={onDecided} />}
      {item.kind === "needs_human" &&
        (item.asset === null ? (
          <EndedLoop item={item} onDecided={onDecided} />
        ) : (
          <EndedAsset asset={item.asset} text={item.text} />
        ))}
      {item.kind === "stage" && <WaitingStage item={item} onDecided={onDecided} />}
    </section>
  );
}

function EndedLoop({ item, onDecided }: Shown) {
  const detail = useQuery(runOf(item.run_id));
  const session = useQuery(sessionOf(item.run_id));
  const turns = useQuery(turnsOf(item.run_id));
  const error = detail.error ?? session.error ?? turns.error;
  if (detail.data === undefined || session.data === undefined || turns.data === undefined) {
    return error === null ? <Loading /> : <Failure error={error} />;
  }
  const all = [...turns.data.previous, ...turns.data.turns];
  const best =
    all.find(({ candidate }) => candidate.content === session.data.final_text) ?? all.at(-1);
  return (
    <>
      <div className="page-head">
        <div>
          <h2>{excerpt(session.data.user_input, longestTitle)}</h2>
          <Link to="/drafts/$run" params={{ run: item.run_id }}>
            Open the draft
          </Link>
        </div>
        <DraftActions
          detail={detail.data}
          session={session.data}
          chosen={best}
          onDecided={onDecided}
        />
      </div>
      <DecisionCard session={session.data} detail={detail.data} />
      <Rulings run={item.run_id} />
      {best !== undefined && (
        <>
          <section className="card">
            <header>
              <h2>The best text, turn {best.iteration}</h2>
            </header>
            <p className="inside text">{best.candidate.content}</p>
          </section>
          <IssueList chosen={best} all={all} />
        </>
      )}
    </>
  );
}

/** A text of an episode is decided beside its candidates. */
function EndedAsset(props: {
  readonly asset: NonNullable<RunItem["asset"]>;
  readonly text: string;
}) {
  const { episode, asset_id } = props.asset;
  return (
    <div className="card">
      <div className="inside stack">
        <h2>{props.text}</h2>
        <p className="soft">
          The loop ended without approval: pick a candidate, or unlock the text.
        </p>
        <Link
          to="/episodes/$episode/$asset"
          params={{ episode, asset: asset_id }}
          className="button primary"
        >
          Open the text
        </Link>
      </div>
    </div>
  );
}

/** A stage is confirmed here, and its next step is taken here. */
function WaitingStage(props: { readonly item: StageItem; readonly onDecided: () => void }) {
  const { item, onDecided } = props;
  const { data, error } = useQuery(stageOf(item.id));
  return (
    <>
      <div className="page-head">
        <div>
          <h2>{item.text}</h2>
          <Link to="/stages/$stage" params={{ stage: item.id }}>
            Open the stage
          </Link>
        </div>
        {data !== undefined && <ConfirmStage detail={data} onConfirmed={onDecided} />}
      </div>
      {error !== null && <Failure error={error} />}
      {data === undefined ? <Loading /> : <NextStep detail={data} />}
    </>
  );
}

/** Each choice has a number and the reason goes along as the comment; without choices the answer is a text. */
function Question({ item, onDecided }: Shown) {
  const [choice, setChoice] = useState<string>();
  const wantsText = item.choices.length === 0;
  const choices = wantsText ? ["answer"] : item.choices;
  const keys = useMay("decide") ? choices : [];
  useKeys(Object.fromEntries(keys.map((one, at) => [String(at + 1), () => setChoice(one)])));
  return (
    <div className="card">
      <div className="inside stack">
        <p className="text small">{item.text}</p>
        <May do="decide">
          <div className="row">
            {choices.map((one, at) => (
              <button key={one} type="button" className="button" onClick={() => setChoice(one)}>
                {one} <kbd>{at + 1}</kbd>
              </button>
            ))}
          </div>
        </May>
      </div>
      {choice !== undefined && (
        <DecisionDialog
          title={wantsText ? "Answer with a text" : choice}
          label={wantsText ? "The text" : "Why?"}
          action="Answer"
          decide={(said) =>
            ask("POST /api/v1/inbox/:item_id/decide", {
              params: { item_id: item.id },
              body: {
                version: item.version,
                ...(wantsText ? { choice: "answered", text: said } : { choice, comment: said }),
              },
            })
          }
          onDecided={onDecided}
          onClose={() => setChoice(undefined)}
        />
      )}
    </div>
  );
}
