import type { MatrixSource } from "./matrix-source.ts";

export interface Place {
  readonly note: number;
  readonly gate: number;
}

type Size = Pick<MatrixSource, "notes" | "gates">;

const steps: { readonly [key: string]: readonly [notes: number, gates: number] } = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [20, 0],
  PageUp: [-20, 0],
};

/** Where a key leads; undefined for keys that do not move. */
export function moved(
  at: Place,
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">,
  source: Size,
): Place | undefined {
  const isWhole = ctrlKey || metaKey;
  if (key === "Home") return { note: isWhole ? 0 : at.note, gate: 0 };
  if (key === "End") {
    const last = { note: source.notes.length - 1, gate: source.gates.length - 1 };
    return isWhole ? last : { ...at, gate: last.gate };
  }
  const step = steps[key];
  if (step === undefined) return undefined;
  return within({ note: at.note + step[0], gate: at.gate + step[1] }, source);
}

/** The nearest place that is there: fewer notes may be shown than a moment ago. */
export function within({ note, gate }: Place, { notes, gates }: Size): Place {
  const bound = (value: number, length: number): number => Math.max(0, Math.min(value, length - 1));
  return { note: bound(note, notes.length), gate: bound(gate, gates.length) };
}
