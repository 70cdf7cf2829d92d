import { createRoot } from "react-dom/client";
import { Matrix } from "../pages/notes/matrix.tsx";
import type { CellState } from "../pages/notes/matrix-source.ts";
import "../design/tokens.css";
import "../design/base.css";

const states: readonly CellState[] = [
  "pass",
  "pass",
  "warn",
  "fail",
  "stale",
  "undecided",
  "unread",
];

/** A knowledge base of ten thousand notes and fifty gates, for the browser tests and the frame figures. */
const source = {
  notes: Array.from({ length: 10_000 }, (_, at) => `gardening/soil/note-${at}.md`),
  gates: Array.from({ length: 50 }, (_, at) => `gate-${at}`),
  noteTotals: Array.from({ length: 10_000 }, (_, at) => at % 7),
  gateTotals: Array.from({ length: 50 }, (_, at) => at),
  cell: (note: number, gate: number) => ({
    state: states[(note * 5 + gate * 3) % states.length] ?? "unread",
  }),
};

const open = (note: number, gate: number): void => {
  document.title = `${note} ${gate}`;
};

const root = document.createElement("div");
document.body.append(root);
createRoot(root).render(<Matrix source={source} onOpen={open} />);
