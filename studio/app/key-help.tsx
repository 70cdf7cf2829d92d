import { Dialog } from "../design/dialog.tsx";
import styles from "./key-help.module.css";

const keys: readonly (readonly [keys: string, meaning: string])[] = [
  ["Ctrl K", "go to anything: pages, runs, notes, episodes, packs, actions"],
  ["g h", "home"],
  ["g i", "inbox"],
  ["g e", "episodes"],
  ["g o", "notes"],
  ["g p", "packs"],
  ["g s", "stages"],
  ["g r", "runs and cost"],
  ["n", "new draft"],
  ["j k", "next and previous item, turn, candidate or step"],
  ["Enter", "open the selected item"],
  ["a", "approve; confirm a stage"],
  ["c", "request changes; compare two runs"],
  ["x", "select an item in the inbox; swap the runs being compared"],
  ["e", "edit"],
  ["d", "switch between text and differences"],
  ["p", "pick the episode text on the right"],
  ["u", "unlock"],
  ["?", "this list"],
];

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.keys}>
        {keys.map(([name, meaning]) => (
          <div key={name}>
            <dt>
              <kbd>{name}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="soft">Single-key shortcuts can be switched off under Settings.</p>
      <div className="row end">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
