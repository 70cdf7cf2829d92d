import { useState } from "react";
import { Dialog } from "../../design/dialog.tsx";
import { Failure } from "../../design/states.tsx";
import type { StageAct } from "./use-stage-steps.ts";

/** A conversation that was held elsewhere, by the id in its file names. */
export function ImportDialog(props: { readonly act: StageAct; readonly onClose: () => void }) {
  const { act, onClose } = props;
  const [id, setId] = useState("");
  return (
    <Dialog title="Import a run" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate({ step: "import", run_id: id.trim() }, { onSuccess: onClose });
        }}
      >
        <label className="field">
          <span>Id of the run</span>
          <input
            autoFocus
            required
            maxLength={120}
            value={id}
            onChange={(event) => setId(event.target.value)}
          />
          <small>As in the names of its files, which must be in the project.</small>
        </label>
        {act.error !== null && <Failure error={act.error} />}
        <div className="row end">
          <button type="button" className="button quiet" onClick={onClose}>
            Not now
          </button>
          <button
            type="submit"
            className="button primary"
            disabled={id.trim() === "" || act.isPending}
          >
            Import
          </button>
        </div>
      </form>
    </Dialog>
  );
}
