import type {
  CandidateWritten,
  DraftEvent,
  IterationRecorded,
  ReviewReceived,
} from "../../domain/drafting/events.ts";
import type { ReviewIssue } from "../../domain/drafting/review.ts";
import { defined } from "../../domain/values/defined.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import { type Layout, type Line, layOutLines } from "../shell/lay-out.ts";
import { LiveArea } from "../shell/live-area.ts";
import { LiveCalls } from "../shell/live-calls.ts";
import type { Palette } from "../shell/palette.ts";
import type { Sink } from "../shell/screen.ts";
import {
  candidateLines,
  type DraftContext,
  iterationLines,
  loopStartedLines,
  reviewReceivedLines,
  turnHeading,
  type Verbosity,
} from "./draft-turn.ts";

export interface DraftDisplayOptions {
  readonly sink: Sink;
  readonly palette: Palette;
  readonly verbosity: Verbosity;
  /** Monotonic milliseconds; the live lines are drawn at most thirty times a second. */
  readonly millis: () => number;
  /** Reads a stored event of a drafting loop; undefined for any other. */
  readonly readEvent: (event: StoredEvent) => DraftEvent | undefined;
}

const drawEveryMs = 33;

/** In a narrower terminal the live lines could wrap, and wrapped lines cannot be erased. */
const narrowestLive = 40;

/**
 * Shows a drafting loop while it runs: finished parts are printed once and scroll away, calls in flight are drawn in
 * a live area below them. A log gets only the finished parts.
 */
export class DraftDisplay implements Observer {
  readonly #options: DraftDisplayOptions;
  readonly #area: LiveArea;
  readonly #calls = new LiveCalls();
  readonly #issues = new Map<string, ReviewIssue>();
  #models: readonly string[] = [];
  #previousText: string | undefined;
  #turn = turnSoFar(0);
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(options: DraftDisplayOptions) {
    this.#options = options;
    this.#area = new LiveArea(options.sink);
  }

  notice(happening: Happening): void {
    if (this.#options.verbosity === "quiet") return;
    if (happening.kind === "event") {
      const event = this.#options.readEvent(happening.event);
      if (event !== undefined) this.show(event);
      return;
    }
    if (happening.kind === "call-failed") {
      this.#print(this.#heading(this.#calls.turnOf(happening.key) ?? this.#turn.number));
    }
    this.#print(this.#calls.notice(happening, this.#options.verbosity));
    this.#draw(happening.kind === "text");
  }

  show(event: DraftEvent): void {
    if (this.#options.verbosity === "quiet") return;
    this.#print(this.#linesOf(event));
    this.#draw(false);
  }

  /** Erases the live lines, so that something else may be printed. */
  close(): void {
    this.#area.clear();
  }

  #linesOf(event: DraftEvent): readonly Line[] {
    switch (event.kind) {
      case "loop-started":
        this.#models = [event.creatorModel, ...event.reviewers.map(({ model }) => model)];
        return loopStartedLines(event);
      case "candidate-written":
        return [...this.#heading(event.turn), ...this.#candidate(event)];
      case "review-received":
        return [...this.#heading(event.turn), ...this.#review(event)];
      case "iteration-recorded":
        return this.#iteration(event);
      case "phase-entered":
      case "loop-decided":
        return [];
    }
  }

  #heading(turn: number): readonly Line[] {
    if (turn === this.#turn.number) return [];
    this.#turn = turnSoFar(turn);
    return turnHeading(turn, this.#calls.isFromRecord(turn, "create"));
  }

  #candidate(event: CandidateWritten): readonly Line[] {
    this.#turn.indexes.set(event.candidate.candidateId, event.index);
    return candidateLines(event, this.#context(event.index));
  }

  #review(event: ReviewReceived): readonly Line[] {
    const { turn, index, review } = event;
    this.#remember(review.issues);
    const several = this.#calls.severalCandidates(turn) || this.#turn.indexes.size > 1;
    const askedNow =
      this.#calls.isFromRecord(turn, "create") && !this.#calls.isFromRecord(turn, "review");
    return reviewReceivedLines(event, {
      verbosity: this.#options.verbosity,
      ...(several ? { about: `candidate ${index}` } : {}),
      ...(askedNow ? { mark: "asked now" } : {}),
    });
  }

  #iteration(event: IterationRecorded): readonly Line[] {
    const { candidate, ledger } = event.iteration;
    this.#remember(ledger.map(({ issue }) => issue));
    const index = this.#turn.indexes.get(candidate.candidateId) ?? 1;
    const lines = iterationLines(event, {
      ...this.#context(index),
      ...(this.#turn.indexes.size > 1 ? { candidateIndex: index } : {}),
    });
    this.#previousText = candidate.content;
    return lines;
  }

  #context(index: number): DraftContext {
    const { verbosity, palette } = this.#options;
    return {
      models: this.#models,
      messageOf: (issueId) => this.#issues.get(issueId)?.message,
      severalCandidates: index > 1 || this.#calls.severalCandidates(this.#turn.number),
      ...{ verbosity, palette },
      ...defined({ previousText: this.#previousText }),
    };
  }

  #remember(issues: readonly ReviewIssue[]): void {
    for (const issue of issues) this.#issues.set(issue.issueId, issue);
  }

  #draw(isText: boolean): void {
    const { sink, millis } = this.#options;
    const now = millis();
    if (!sink.isTerminal || sink.columns() < narrowestLive) return;
    if (isText && now - this.#drawnAt < drawEveryMs) return;
    this.#drawnAt = now;
    const layout = this.#layout();
    this.#area.draw(layOutLines(this.#calls.lines(this.#turn.number, layout.width), layout));
  }

  #print(lines: readonly Line[]): void {
    this.#area.print(layOutLines(lines, this.#layout()));
  }

  /** One column is left free, because a full line makes some terminals wrap. */
  #layout(): Layout {
    return { width: this.#options.sink.columns() - 1, palette: this.#options.palette };
  }
}

/** What the display keeps of a turn until it is recorded. */
function turnSoFar(number: number) {
  return { number, indexes: new Map<string, number>() };
}
