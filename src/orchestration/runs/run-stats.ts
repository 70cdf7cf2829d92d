import {
  averageDurationPerTurn,
  succeeded,
  type UsageTotals,
} from "../../domain/drafting/session.ts";
import type { MemberSignature } from "../../domain/drafting/signature.ts";
import { sumOf } from "../../domain/models/known-amounts.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { RunCursor } from "../../ports/repos.ts";
import { loadSession } from "../drafting/load-session.ts";
import { everyPage } from "./every-page.ts";
import type { RunSource } from "./list-runs.ts";

/** Drafting runs of one recipe by one writer's model. */
export interface DraftStats {
  readonly recipe: string;
  readonly model: string;
  /** Runs that came to a decision; unfinished ones say nothing yet. */
  readonly runs: number;
  readonly approved: number;
  readonly approvalRate: number;
  readonly averageTurns: number;
  readonly secondsPerTurn: number;
  /** Absent, like the output and the price, when those of any call are unknown. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly microUsd?: number;
}

/** How a model signs as a reviewer. */
export interface SigningStats {
  readonly model: string;
  /** Approvals that counted. */
  readonly signed: number;
  /** How often it approved with other words and was asked to sign. */
  readonly questions: number;
  /** Questions to which it replied with anything but a bare approval. */
  readonly refused: number;
}

export interface RunStats {
  readonly drafts: readonly DraftStats[];
  readonly reviewers: readonly SigningStats[];
}

interface Sums {
  readonly drafts: Map<string, Sum>;
  readonly signatures: MemberSignature[];
}

interface Sum {
  readonly recipe: string;
  readonly model: string;
  runs: number;
  approved: number;
  turns: number;
  seconds: number;
  readonly usages: UsageTotals[];
}

const page = 200;

/**
 * Average turns, seconds per turn and approval rate per recipe and model, and how each reviewer's model signs, of runs
 * created at or after a time.
 */
export async function draftStats(source: RunSource, since: Instant): Promise<RunStats> {
  const sums: Sums = { drafts: new Map(), signatures: [] };
  const filter = { limit: page, kind: "draft", state: "finished" } as const;
  const drafts = everyPage<RunCursor>(page, (after) =>
    source.store.read(({ runs }) => runs.list({ ...filter, ...defined({ after }) })),
  );
  for await (const { run, createdAt } of drafts) {
    if (createdAt < since) break;
    await add(sums, source, run);
  }
  return { drafts: statsOf(sums.drafts), reviewers: signingOf(sums.signatures) };
}

async function add({ drafts, signatures }: Sums, { store }: RunSource, run: RunId): Promise<void> {
  const loaded = await loadSession(store, run);
  if (loaded?.session === undefined) return;
  const { session } = loaded;
  signatures.push(...loaded.signatures);
  const { recipe, modelName: model, turns, usage } = session;
  const key = JSON.stringify([recipe, model]);
  const sum = drafts.get(key) ?? emptySum(recipe, model);
  drafts.set(key, sum);
  sum.runs += 1;
  sum.approved += succeeded(session) ? 1 : 0;
  sum.turns += turns.length;
  sum.seconds += (averageDurationPerTurn(session) ?? 0) * turns.length;
  sum.usages.push(usage);
}

function signingOf(signatures: readonly MemberSignature[]): readonly SigningStats[] {
  const models = [...new Set(signatures.flatMap(({ model }) => model ?? []))].sort();
  return models.map((model) => {
    const own = signatures.filter((one) => one.model === model);
    const refused = own.filter(({ how }) => how === "refused").length;
    const questions = own.filter(({ how }) => how !== "bare").length;
    return { model, signed: own.length - refused, questions, refused };
  });
}

function emptySum(recipe: string, model: string): Sum {
  return { recipe, model, runs: 0, approved: 0, turns: 0, seconds: 0, usages: [] };
}

function statsOf(sums: ReadonlyMap<string, Sum>): readonly DraftStats[] {
  return [...sums.values()]
    .map(({ turns, seconds, usages, ...sum }) => ({
      ...sum,
      approvalRate: sum.approved / sum.runs,
      averageTurns: turns / sum.runs,
      secondsPerTurn: turns === 0 ? 0 : seconds / turns,
      ...defined({
        inputTokens: sumOf(usages.map((usage) => usage.inputTokens)),
        outputTokens: sumOf(usages.map((usage) => usage.outputTokens)),
        microUsd: sumOf(usages.map((usage) => usage.microUsd)),
      }),
    }))
    .sort((one, other) =>
      `${one.recipe} ${one.model}` < `${other.recipe} ${other.model}` ? -1 : 1,
    );
}
