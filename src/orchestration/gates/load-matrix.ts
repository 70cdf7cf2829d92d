import type { NoteFile } from "../../ports/note-source.ts";
import { reasonOf } from "./compute-status.ts";
import type { Gate } from "./load-gates.ts";
import { loadWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { type NoteProblem, selectPairs } from "./select-pairs.ts";
import type { TargetPair } from "./target-pair.ts";
import { TimeSlices } from "./time-slices.ts";

/** Every note against every gate: one letter for each pair, as the contract lists them. */
export interface NotesMatrix {
  readonly gates: readonly string[];
  readonly noteIds: readonly string[];
  readonly notes: readonly string[];
  readonly cells: readonly string[];
  readonly problems: readonly NoteProblem[];
}

const staleLetters = {
  "missing-review": "m",
  "gate-changed": "g",
  "note-changed": "n",
  undecided: "u",
} as const;

const freshLetters = { pass: "p", warn: "w", fail: "f" } as const;

export async function loadMatrix(tools: NotesTools, model: string): Promise<NotesMatrix> {
  const world = await loadWorld(tools, { paths: [], gates: [] });
  const columns = new Map(world.gates.map(({ id }, at) => [id, at]));
  const rows = new Map(
    world.notes.map(({ path }) => [path, new Array<string>(columns.size).fill("-")]),
  );
  const put = (note: NoteFile, gate: Gate, letter: string): void => {
    const row = rows.get(note.path);
    const column = columns.get(gate.id);
    if (row !== undefined && column !== undefined) row[column] = letter;
  };
  const putPair = (pair: TargetPair): void => put(pair.note, pair.gate, letterOf(pair));
  const selection = await selectPairs(tools, world, {
    models: [model],
    onPassing: (note, gate) => put(note, gate, freshLetters.pass),
    onFresh: putPair,
  });
  await new TimeSlices(tools.clock).forEach(selection.stale, putPair);
  return {
    gates: [...columns.keys()],
    noteIds: world.notes.map(({ path }) => noteIdOf(tools, path)),
    notes: world.notes.map(({ path }) => path),
    cells: [...rows.values()].map((row) => row.join("")),
    problems: selection.problems,
  };
}

/** Names a note in addresses, which must not contain paths. */
export function noteIdOf({ digest }: NotesTools, path: string): string {
  return digest(path).slice(0, 16);
}

function letterOf(pair: TargetPair): string {
  if (pair.state.kind === "fresh") return freshLetters[pair.accepted?.decision ?? "pass"];
  return staleLetters[reasonOf(pair)];
}
