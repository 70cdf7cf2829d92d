import { useState } from "react";
import { ask } from "../../api/client.ts";
import { DecisionDialog } from "../../design/decision-dialog.tsx";
import type { AssetDetail, Candidate } from "./episode-queries.ts";
import styles from "./episodes.module.css";

interface About {
  readonly episode: string;
  readonly detail: AssetDetail;
  readonly onClose: () => void;
}

const done = "Your decision was recorded";

/** What is decided on is what the person saw when the dialog opened, whatever arrives behind it. */
function useSeen({ episode, detail }: About) {
  const [version] = useState(detail.version);
  return { version, params: { episode_id: episode, asset_id: detail.asset_id } };
}

export function PickDialog(about: About & { readonly candidate: Candidate }) {
  const { version, params } = useSeen(about);
  const { candidate_id, content } = about.candidate;
  return (
    <DecisionDialog
      title="Pick this text"
      label={about.detail.is_text_locked ? "Why change the locked text?" : "Why this one?"}
      action="Pick"
      decide={(reason) =>
        ask("POST /api/v1/episodes/:episode_id/assets/:asset_id/pick", {
          params,
          body: { version, candidate_id, reason },
        })
      }
      done={done}
      onClose={about.onClose}
    >
      <p className={`text small ${styles.clipped}`}>{content}</p>
    </DecisionDialog>
  );
}

export function AdoptDialog(about: About) {
  const { version, params } = useSeen(about);
  return (
    <DecisionDialog
      title="Adopt the selected text"
      label="Why is it right?"
      action="Adopt"
      decide={(reason) =>
        ask("POST /api/v1/episodes/:episode_id/assets/:asset_id/adopt", {
          params,
          body: { version, reason },
        })
      }
      done={done}
      onClose={about.onClose}
    >
      <p className={`text small ${styles.clipped}`}>{about.detail.selection?.text}</p>
    </DecisionDialog>
  );
}

/** A person's own text in the place of a candidate. */
export function WriteDialog(about: About & { readonly text: string }) {
  const { version, params } = useSeen(about);
  const [text, setText] = useState(about.text);
  return (
    <DecisionDialog
      title="Edit and select"
      label="Why this text?"
      action="Save and select"
      isIncomplete={text.trim() === ""}
      decide={(reason) =>
        ask("POST /api/v1/episodes/:episode_id/assets/:asset_id/adopt", {
          params,
          body: { version, reason, text },
        })
      }
      done={done}
      onClose={about.onClose}
    >
      <label className="field">
        <span>Text</span>
        <textarea rows={12} value={text} onChange={({ target }) => setText(target.value)} />
        <small>It becomes a candidate with your name, and the selected text.</small>
      </label>
    </DecisionDialog>
  );
}

export function UnlockDialog(about: About) {
  const { version, params } = useSeen(about);
  return (
    <DecisionDialog
      title="Unlock"
      label="Why unlock it?"
      action="Unlock"
      tone="danger"
      decide={(reason) =>
        ask("POST /api/v1/episodes/:episode_id/assets/:asset_id/unlock", {
          params,
          body: { version, reason },
        })
      }
      done={done}
      onClose={about.onClose}
    >
      <p className="soft">The loop may then change the text and continue.</p>
    </DecisionDialog>
  );
}
