import { useState } from "react";
import { ask } from "../../api/client.ts";
import type { InboxItem } from "../../api/queries.ts";
import { plural } from "../../design/amounts.ts";
import { DecisionDialog } from "../../design/decision-dialog.tsx";

type Draft = Extract<InboxItem, { readonly run_id: string }>;

/** Drafts that ended without approval can be approved together; everything else is decided one by one. */
export function canBatch(item: InboxItem): item is Draft {
  return item.kind === "needs_human" && item.asset === null;
}

/** Approves the best text of each selected draft, with one reason for all. */
export function BatchApprove(props: {
  readonly items: readonly InboxItem[];
  readonly onDone: (ids: readonly string[]) => void;
}) {
  const drafts = props.items.filter(canBatch);
  const [isAsking, setAsking] = useState(false);
  const approve = async (reason: string): Promise<readonly string[]> => {
    for (const { run_id, version } of drafts) {
      await ask("POST /api/v1/drafts/:run_id/rulings", {
        params: { run_id },
        body: { act: "approve", version, ...(reason === "" ? {} : { reason }) },
      });
    }
    return drafts.map(({ id }) => id);
  };
  if (drafts.length === 0) return null;
  return (
    <>
      <button type="button" className="button primary" onClick={() => setAsking(true)}>
        Approve {plural(drafts.length, "draft")}
      </button>
      {isAsking && (
        <DecisionDialog
          title={`Approve ${plural(drafts.length, "draft")}`}
          label="Reason (optional)"
          action="Approve all"
          isOptional
          decide={approve}
          done={`${plural(drafts.length, "draft")} approved`}
          onDecided={props.onDone}
          onClose={() => setAsking(false)}
        >
          <ul className="stack tight">
            {drafts.map((item) => (
              <li key={item.id}>{item.text}</li>
            ))}
          </ul>
          <p className="soft">The best text of each is approved as it is.</p>
        </DecisionDialog>
      )}
    </>
  );
}
