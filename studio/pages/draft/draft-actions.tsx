import { useState } from "react";
import type { Iteration, RunDetail, Session } from "../../api/queries.ts";
import { useMay } from "../../api/role.ts";
import { useKeys } from "../../app/use-keys.ts";
import { DecisionDialog } from "../../design/decision-dialog.tsx";
import { May } from "../../design/may.tsx";
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
  const { rule, resume, cancel, follow } = useDecisions(detail);
  const finish = (next: string | null): void => {
    onDecided?.();
    follow(next);
  };
  // What is approved already can still be changed, but is not offered for approval again.
  const isApproved = session.outcome === "approved" && session.standing?.accepted !== false;
  const mayDecide = useMay("decide");
  const isDecidable = session.decision !== null && chosen !== undefined;
  const canRule = isDecidable && mayDecide;
  const isOpen = !["finished", "cancelled"].includes(detail.state);
  const isPaused = detail.resumable && detail.state !== "waiting" && detail.state !== "queued";
  const approve = (reason: string): Promise<string | null> =>
    rule({
      ...{ act: "approve", version, turn: chosen?.iteration ?? 1 },
      ...(reason === "" ? {} : { reason }),
    });
  const ask = (what: Asked, isAllowed: boolean) => (isAllowed ? () => open(what) : undefined);
  const open = (what: Asked): void => {
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
          decide={(text, reason) => rule({ act: "edit", version, text, reason })}
          onDecided={finish}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked !== undefined && asked !== "edit" && (
        <DecisionDialog
          {...wording(asked, chosen)}
          decide={(reason) => {
            if (asked === "cancel") return cancel(reason);
            if (asked === "request_changes") return rule({ act: asked, version, reason });
            return approve(reason);
          }}
          onDecided={finish}
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
