import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/client.ts";
import { ReasonDialog } from "../../design/reason-dialog.tsx";
import { notify } from "../../design/toasts.tsx";
import type { AssetDetail, Candidate } from "./episode-queries.ts";
import styles from "./episodes.module.css";

interface About {
  readonly episode: string;
  readonly detail: AssetDetail;
  readonly onClose: () => void;
}

/** What is decided on is what the person saw when the dialog opened, whatever arrives behind it. */
function useRuling({ episode, detail, onClose }: About) {
  const client = useQueryClient();
  const [version] = useState(detail.version);
  const params = { episode_id: episode, asset_id: detail.asset_id };
  const done = {
    onSuccess: () => {
      notify({ title: "Your decision was recorded" });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["episodes"] }),
  };
  return { version, params, done };
}

export function PickDialog(about: About & { readonly candidate: Candidate }) {
  const { version, params, done } = useRuling(about);
  const { candidate_id, content } = about.candidate;
  const pick = useMutation({
    mutationFn: (reason: string) =>
      ask("POST /api/v1/episodes/:episode_id/assets/:asset_id/pick", {
        params,
        body: { version, candidate_id, reason },
      }),
    ...done,
  });
  return (
    <ReasonDialog
      title="Pick this text"
      label={about.detail.is_text_locked ? "Why change the locked text?" : "Why this one?"}
      action="Pick"
      isBusy={pick.isPending}
      error={pick.error}
      onDecide={pick.mutate}
      onClose={about.onClose}
    >
      <p className={`text small ${styles.clipped}`}>{content}</p>
    </ReasonDialog>
  );
}

export function AdoptDialog(about: About) {
  const { version, params, done } = useRuling(about);
  const adopt = useMutation({
    mutationFn: (reason: string) =>
      ask("POST /api/v1/episodes/:episode_id/assets/:asset_id/adopt", {
        params,
        body: { version, reason },
      }),
    ...done,
  });
  return (
    <ReasonDialog
      title="Adopt the selected text"
      label="Why is it right?"
      action="Adopt"
      isBusy={adopt.isPending}
      error={adopt.error}
      onDecide={adopt.mutate}
      onClose={about.onClose}
    >
      <p className={`text small ${styles.clipped}`}>{about.detail.selection?.text}</p>
    </ReasonDialog>
  );
}

/** A person's own text in the place of a candidate. */
export function WriteDialog(about: About & { readonly text: string }) {
  const { version, params, done } = useRuling(about);
  const [text, setText] = useState(about.text);
  const write = useMutation({
    mutationFn: (reason: string) =>
      ask("POST /api/v1/episodes/:episode_id/assets/:asset_id/adopt", {
        params,
        body: { version, reason, text },
      }),
    ...done,
  });
  return (
    <ReasonDialog
      title="Edit and select"
      label="Why this text?"
      action="Save and select"
      isBusy={write.isPending || text.trim() === ""}
      error={write.error}
      onDecide={write.mutate}
      onClose={about.onClose}
    >
      <label className="field">
        <span>Text</span>
        <textarea rows={12} value={text} onChange={({ target }) => setText(target.value)} />
        <small>It becomes a candidate with your name, and the selected text.</small>
      </label>
    </ReasonDialog>
  );
}

export function UnlockDialog(about: About) {
  const { version, params, done } = useRuling(about);
  const unlock = useMutation({
    mutationFn: (reason: string) =>
      ask("POST /api/v1/episodes/:episode_id/assets/:asset_id/unlock", {
        params,
        body: { version, reason },
      }),
    ...done,
  });
  return (
    <ReasonDialog
      title="Unlock"
      label="Why unlock it?"
      action="Unlock"
      tone="danger"
      isBusy={unlock.isPending}
      error={unlock.error}
      onDecide={unlock.mutate}
      onClose={about.onClose}
    >
      <p className="soft">The loop may then change the text and continue.</p>
    </ReasonDialog>
  );
}
