import { findTree } from "../orchestration/gates/list-tree.ts";
import { stateOfNotes } from "../orchestration/gates/notes-status.ts";
import type { NotesTools } from "../orchestration/gates/notes-tools.ts";
import type { Clock } from "../ports/clock.ts";

const mostKept = 20;

/**
 * Answers about all notes, each computed once for a state of notes, gates, rulings and acceptances. Looking at the files
 * takes longer the more there are, so what was seen of them holds for twenty times as long as the look took; rulings and
 * acceptances are looked at every time.
 */
export class KnownAnswers {
  readonly #clock: Clock;
  readonly #known = new Map<
    string,
    { readonly state: string; readonly answer: Promise<unknown> }
  >();
  #tree: { readonly state: string; readonly until: number } = { state: "", until: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async answer<T>(
    tools: NotesTools,
    asked: readonly unknown[],
    compute: () => Promise<T>,
  ): Promise<T> {
    const name = JSON.stringify(asked);
    const isSeen = this.#clock.monotonic() < this.#tree.until;
    const isKnown = (state: string): boolean => this.#known.get(name)?.state === state;
    let state = isSeen ? await stateOfNotes(tools, asked, this.#tree.state) : "";
    if (!isKnown(state)) state = await stateOfNotes(tools, asked, await this.#look(tools));
    if (!isKnown(state)) this.#keep(name, { state, answer: compute() });
    return this.#known.get(name)?.answer as Promise<T>;
  }

  #keep(name: string, known: { readonly state: string; readonly answer: Promise<unknown> }): void {
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
