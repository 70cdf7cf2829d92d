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
import type { Layout } from "../shell/lay-out.ts";
import { LiveArea } from "../shell/live-area.ts";
import { LiveCalls } from "../shell/live-calls.ts";
import type { Palette } from "../shell/palette.ts";
import type { Sink } from "../shell/screen.ts";
import { type Closing, renderClosing } from "./draft-closing.ts";
import {
  type DraftContext,
  renderCandidate,
  renderIteration,
  renderLoopStarted,
  renderReviewReceived,
  renderTurnHeading,
  type Verbosity,
} from "./draft-turn.ts";

export interface DraftDisplayOptions {
  readonly sink: Sink;
  readonly palette: Palette;
  readonly verbosity: Verbosity;
  /** Milliseconds that only grow; the live lines are drawn at most thirty times a second. */
  readonly millis: () => number;
  /** Physical attempts a call may take, if known. */
  readonly attempts?: number;
  /** Reads a stored event of a drafting loop; undefined for any other. */
  readonly readEvent: (event: StoredEvent) => DraftEvent | undefined;
}

const drawEveryMs = 33;

/** Below this the live lines could wrap, and wrapped lines cannot be taken back. */
const narrowestLive = 40;

/**
 * Shows a drafting loop while it runs: finished parts are printed once and scroll away, calls in flight stand in a
 * live area below them. In a log only the finished parts appear. Give it the engine's happenings; events that come
 * from elsewhere can be given to `show`.
 */
export class DraftDisplay implements Observer {
  readonly #options: DraftDisplayOptions;
  readonly #area: LiveArea;
  readonly #calls: LiveCalls;
  readonly #issues = new Map<string, ReviewIssue>();
  #models: readonly string[] = [];
  #previousText: string | undefined;
  #turn = new TurnSoFar(0);
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(options: DraftDisplayOptions) {
    this.#options = options;
    this.#area = new LiveArea(options.sink);
    this.#calls = new LiveCalls(options.attempts);
  }

  notice(happening: Happening): void {
    if (this.#options.verbosity === "quiet") return;
    if (happening.kind === "event") {
      const event = this.#options.readEvent(happening.event);
      if (event !== undefined) this.show(event);
      return;
    }
    if (happening.kind === "call-failed") {
      this.#area.print(this.#heading(this.#calls.turnOf(happening.key) ?? this.#turn.number));
    }
    this.#area.print(this.#calls.notice(happening, this.#options.verbosity, this.#layout()));
    this.#draw(happening.kind === "text");
  }

  show(event: DraftEvent): void {
    if (this.#options.verbosity === "quiet") return;
    this.#area.print(this.#linesOf(event));
    this.#draw(false);
  }

  /** Takes the live lines away, so that something else may be printed. */
  close(): void {
    this.#area.clear();
  }

  /** The last words; nothing is shown after them. */
  conclude(closing: Omit<Closing, "verbosity">): void {
    const { verbosity } = this.#options;
    this.#area.clear();
    const lines = renderClosing({ ...closing, verbosity }, this.#layout());
    this.#area.print(verbosity === "quiet" ? lines : ["", ...lines]);
  }

  #linesOf(event: DraftEvent): readonly string[] {
    const layout = this.#layout();
    switch (event.kind) {
      case "loop-started":
        this.#models = [event.creatorModel, ...event.reviewers.map(({ model }) => model)];
        return renderLoopStarted(event, layout);
      case "candidate-written":
        return [...this.#heading(event.turn), ...this.#candidate(event, layout)];
      case "review-received":
        return [...this.#heading(event.turn), ...this.#review(event, layout)];
      case "iteration-recorded":
        return this.#iteration(event, layout);
      case "phase-entered":
      case "loop-decided":
        return [];
    }
  }

  #heading(turn: number): readonly string[] {
    if (turn === this.#turn.number) return [];
    this.#turn = new TurnSoFar(turn);
    return renderTurnHeading(turn, this.#calls.isFromRecord(turn, "create"), this.#layout());
  }

  #candidate(event: CandidateWritten, layout: Layout): readonly string[] {
    this.#turn.indexes.set(event.candidate.candidateId, event.index);
    return renderCandidate(event, this.#context(event.index), layout);
  }

  #review(event: ReviewReceived, layout: Layout): readonly string[] {
    const { turn, index, review } = event;
    this.#remember(review.issues);
    if (review.verdict === "ok") this.#turn.approve(index);
    const several = this.#calls.severalCandidates(turn) || this.#turn.indexes.size > 1;
    const askedNow =
      this.#calls.isFromRecord(turn, "create") && !this.#calls.isFromRecord(turn, "review");
    return renderReviewReceived(
      event,
      {
        verbosity: this.#options.verbosity,
        ...(several ? { about: `candidate ${index}` } : {}),
        ...(askedNow ? { mark: "asked now" } : {}),
      },
      layout,
    );
  }

  #iteration(event: IterationRecorded, layout: Layout): readonly string[] {
    const { candidate, ledger } = event.iteration;
    this.#remember(ledger.map(({ issue }) => issue));
    const index = this.#turn.indexes.get(candidate.candidateId) ?? 1;
    const context = this.#context(index);
    const lines = renderIteration(
      event,
      {
        ...context,
        approvals: this.#turn.approvalsOf(index),
        ...(this.#turn.indexes.size > 1 ? { candidateIndex: index } : {}),
      },
      layout,
    );
    this.#previousText = candidate.content;
    return lines;
  }

  #context(index: number): DraftContext {
    return {
      models: this.#models,
      messageOf: (issueId) => this.#issues.get(issueId)?.message,
      severalCandidates: index > 1 || this.#calls.severalCandidates(this.#turn.number),
      verbosity: this.#options.verbosity,
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
    this.#area.draw(this.#calls.lines(this.#turn.number, this.#layout()));
  }

  /** A column is left free: a full line would make some terminals wrap. */
  #layout(): Layout {
    return { width: this.#options.sink.columns() - 1, palette: this.#options.palette };
  }
}

/** What the display has to know of a turn until it is recorded. */
class TurnSoFar {
  readonly number: number;
  readonly indexes = new Map<string, number>();
  readonly #approvals = new Map<number, number>();

  constructor(number: number) {
    this.number = number;
  }

  approve(index: number): void {
    this.#approvals.set(index, this.approvalsOf(index) + 1);
  }

  approvalsOf(index: number): number {
    return this.#approvals.get(index) ?? 0;
  }
}
