import type { Json } from "../domain/values/json.ts";
import { findTree } from "../orchestration/gates/list-tree.ts";
import { stateOfNotes } from "../orchestration/gates/notes-status.ts";
import type { NotesTools } from "../orchestration/gates/notes-tools.ts";
import type { Clock } from "../ports/clock.ts";
import { type PackedJson, packJson } from "./packed-json.ts";

const mostKept = 20;

/**
 * Answers about all notes, each computed and packed once for a state of notes, gates, rulings and acceptances. Looking at the files
 * takes longer the more there are, so what was seen of them holds for twenty times as long as the look took; rulings and
 * acceptances are looked at every time.
 */
export class KnownAnswers {
  readonly #clock: Clock;
  readonly #known = new Map<
    string,
    { readonly state: string; readonly answer: Promise<PackedJson> }
  >();
  #tree: { readonly state: string; readonly until: number } = { state: "", until: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `compute` returns is in wire format. */
  async answer(
    tools: NotesTools,
    asked: readonly unknown[],
    compute: () => Promise<Json>,
  ): Promise<{ readonly status: 200; readonly packed: PackedJson }> {
    const name = JSON.stringify(asked);
    const isSeen = this.#clock.monotonic() < this.#tree.until;
    const isKnown = (state: string): boolean => this.#known.get(name)?.state === state;
    let state = isSeen ? await stateOfNotes(tools, asked, this.#tree.state) : "";
    if (!isKnown(state)) state = await stateOfNotes(tools, asked, await this.#look(tools));
    if (!isKnown(state)) this.#keep(name, { state, answer: compute().then(packJson) });
    return { status: 200, packed: await (this.#known.get(name)?.answer as Promise<PackedJson>) };
  }

  #keep(
    name: string,
    known: { readonly state: string; readonly answer: Promise<PackedJson> },
  ): void {
    if (this.#known.size >= mostKept) this.#known.clear();
    this.#known.set(name, known);
    known.answer.catch(() => this.#known.delete(name));
  }

  async #look(tools: NotesTools): Promise<string> {
    const before = this.#clock.monotonic();
    const { state } = await findTree(tools);
    const after = this.#clock.monotonic();
    this.#tree = { state, until: after + (after - before) * 20 };
    return state;
  }
}
