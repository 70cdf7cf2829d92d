import { DraftDisplay } from "../../src/cli/draft/draft-display.ts";
import type { Verbosity } from "../../src/cli/draft/draft-turn.ts";
import { colourPalette, plainPalette } from "../../src/cli/shell/palette.ts";
import type { DraftEvent, LoopStarted } from "../../src/domain/drafting/events.ts";
import type { Review, ReviewIssue } from "../../src/domain/drafting/review.ts";
import { key, runId } from "../../src/domain/values/ids.ts";
import { instant } from "../../src/domain/values/instant.ts";

export const run = runId("0b6c2f1e-7d3a-4c55-9a51-6b0e2f9b7c11");
const at = instant("2026-11-15T10:00:00.000Z");
const usage = {
  calls: 2,
  replayed: 0,
  inputTokens: 412,
  outputTokens: 38,
  cachedInputTokens: 0,
  microUsd: 0,
};

export function show(
  options: {
    isTerminal?: boolean;
    columns?: number;
    verbosity?: Verbosity;
    millis?: () => number;
  } = {},
) {
  let text = "";
  const display = new DraftDisplay({
    sink: {
      isTerminal: options.isTerminal ?? false,
      columns: () => options.columns ?? 80,
      write: (part) => {
        text += part;
      },
    },
    palette: options.isTerminal === true ? colourPalette : plainPalette,
    verbosity: options.verbosity ?? "normal",
    millis: options.millis ?? (() => 0),
    readEvent: (event) => event.data as unknown as DraftEvent,
  });
  return { display, text: () => text, lines: () => text.split("\n") };
}

export const started = (more: Partial<LoopStarted> = {}): LoopStarted => ({
  kind: "loop-started",
  assetId: "slogan",
  recipe: "slogan",
  brief: "eco-friendly water bottles",
  creatorModel: "offline/rules",
  reviewers: [{ label: "reviewer", model: "offline/rules" }],
  maxTurns: 5,
  standIn: true,
  createdAt: at,
  ...more,
});

export const vague: ReviewIssue = {
  issueId: "i1",
  severity: "error",
  message: "Be specific about impact.",
  code: "vague",
  quote: "Live Clean",
  reviewer: "reviewer",
  late: false,
};

export const review = (turn: number, more: Partial<Review> = {}): Review => ({
  iteration: turn,
  verdict: "ok",
  issues: [],
  createdAt: at,
  provenance: [],
  ...more,
});

export const candidate = (turn: number, content: string, index = 1) =>
  ({
    candidateId: `c${turn}.${index}`,
    assetId: "slogan",
    format: "plain",
    content,
    createdAt: at,
    provenance: [],
  }) as const;

export const written = (turn: number, content: string, more: object = {}): DraftEvent => ({
  kind: "candidate-written",
  turn,
  index: 1,
  candidate: candidate(turn, content),
  done: true,
  answers: [],
  checks: [],
  durationSeconds: 1,
  ...more,
});

export const received = (turn: number, its: Review, index = 1): DraftEvent => ({
  kind: "review-received",
  turn,
  index,
  review: its,
  durationSeconds: 1,
});

export const recorded = (
  turn: number,
  content: string,
  its: Review,
  more: object = {},
): DraftEvent => ({
  kind: "iteration-recorded",
  iteration: {
    iteration: turn,
    creatorDone: true,
    candidate: candidate(turn, content),
    review: its,
    answers: [],
    panel: [],
    losers: [],
    ledger: [],
    ...more,
  },
  durationSeconds: 2.1,
  finishedAt: at,
  usage,
});

export const firstReview = review(1, { verdict: "changes_requested", issues: [vague] });

export const replied = (path: string, replayed: boolean) =>
  ({
    kind: "call-replied",
    run,
    key: key(path),
    role: "creator",
    model: "ollama/mistral:latest",
    seconds: 1,
    replayed,
  }) as const;
