import { useState } from "react";
import type { Iteration, RunDetail, Session } from "../../api/queries.ts";
import { useMay } from "../../api/role.ts";
import { useKeys } from "../../app/use-keys.ts";
import { May } from "../../design/may.tsx";
import { ReasonDialog } from "../../design/reason-dialog.tsx";
import { Failure } from "../../design/states.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { useDecisions } from "./use-decisions.ts";

type Asked = "approve" | "request_changes" | "edit" | "cancel" | undefined;

/** What a person can do about a draft in its present state, and nothing else. */
export function DraftActions(props: {
  readonly detail: RunDetail;
  readonly session: Session;
  readonly chosen: Iteration | undefined;
  readonly onDecided?: () => void;
}) {
  const { detail, session, chosen, onDecided } = props;
  const [asked, setAsked] = useState<Asked>();
  const [version, setVersion] = useState(0);
  const { rule, resume, cancel } = useDecisions(detail, () => {
    setAsked(undefined);
    onDecided?.();
  });
  // What is approved already can still be changed, but is not offered for approval again.
  const isApproved = session.outcome === "approved" && session.standing?.accepted !== false;
  const mayDecide = useMay("decide");
  const isDecidable = session.decision !== null && chosen !== undefined;
  const canRule = isDecidable && mayDecide;
  const isOpen = !["finished", "cancelled"].includes(detail.state);
  const isPaused = detail.resumable && detail.state !== "waiting" && detail.state !== "queued";
  const approve = (reason: string): void =>
    rule.mutate({
      ...{ act: "approve", version, turn: chosen?.iteration ?? 1 },
      ...(reason === "" ? {} : { reason }),
    });
  const ask = (what: Asked, isAllowed: boolean) => (isAllowed ? () => open(what) : undefined);
  const open = (what: Asked): void => {
    rule.reset();
    cancel.reset();
    setVersion(detail.version);
    setAsked(what);
  };
  useKeys({
    a: ask("approve", canRule && !isApproved),
    c: ask("request_changes", canRule),
    e: ask("edit", canRule),
  });
  return (
    <div className="stack tight">
      <div className="row">
        {(isPaused || isOpen) && (
          <May do="run">
            {isPaused && (
              <button
                type="button"
                className="button primary"
                disabled={resume.isPending}
                onClick={() => resume.mutate()}
              >
                Resume
              </button>
            )}
            {isOpen && (
              <button type="button" className="button danger" onClick={() => open("cancel")}>
                Cancel
              </button>
            )}
          </May>
        )}
        {isDecidable && (
          <May do="decide">
            <RulingButtons isApproved={isApproved} onAsk={open} />
          </May>
        )}
      </div>
      {resume.error !== null && <Failure error={resume.error} />}
      {asked === "edit" && chosen !== undefined && (
        <EditDialog
          text={chosen.candidate.content}
          isBusy={rule.isPending}
          error={rule.error}
          onDecide={(text, reason) => rule.mutate({ act: "edit", version, text, reason })}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked !== undefined && asked !== "edit" && (
        <ReasonDialog
          {...wording(asked, chosen)}
          isBusy={rule.isPending || cancel.isPending}
          error={rule.error ?? cancel.error}
          onDecide={(reason) => {
            if (asked === "cancel") cancel.mutate(reason);
            else if (asked === "request_changes") rule.mutate({ act: asked, version, reason });
            else approve(reason);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

function RulingButtons(props: {
  readonly isApproved: boolean;
  readonly onAsk: (what: Asked) => void;
}) {
  const { isApproved, onAsk } = props;
  return (
    <>
      {!isApproved && (
        <button type="button" className="button primary" onClick={() => onAsk("approve")}>
          Approve <kbd>a</kbd>
        </button>
      )}
      <button type="button" className="button" onClick={() => onAsk("request_changes")}>
        Request changes <kbd>c</kbd>
      </button>
      <button type="button" className="button" onClick={() => onAsk("edit")}>
        Edit <kbd>e</kbd>
      </button>
    </>
  );
}

function wording(asked: "approve" | "request_changes" | "cancel", chosen: Iteration | undefined) {
  switch (asked) {
    case "approve":
      return {
        title: `Approve turn ${chosen?.iteration ?? ""}`,
        label: "Reason (optional)",
        action: "Approve",
        isOptional: true,
      };
    case "request_changes":
      return {
        title: "Request changes",
        label: "What has to change? The next turn must answer it.",
        action: "Request changes",
      };
    case "cancel":
      return {
        title: "Cancel this draft",
        label: "Why?",
        action: "Cancel the draft",
        tone: "danger" as const,
      };
  }
}
