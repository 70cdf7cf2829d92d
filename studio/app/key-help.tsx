import { Dialog } from "../design/dialog.tsx";

const keys: readonly (readonly [keys: string, meaning: string])[] = [
  ["g h", "home"],
  ["g i", "inbox"],
  ["g e", "episodes"],
  ["g o", "notes"],
  ["g p", "packs"],
  ["g s", "stages"],
  ["g r", "runs and cost"],
  ["n", "new draft"],
  ["j k", "next and previous: item in the inbox, turn, candidate, step of a run"],
  ["Enter", "open the chosen item"],
  ["a", "approve; confirm a stage"],
  ["c", "request changes; compare two runs"],
  ["x", "swap the runs that are compared"],
  ["e", "edit"],
  ["d", "text or differences"],
  ["p", "pick the text on the right, of an episode"],
  ["u", "unlock"],
  ["?", "this list"],
];

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {keys.map(([name, meaning]) => (
          <div key={name}>
            <dt>
              <kbd>{name}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div className="row end">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
