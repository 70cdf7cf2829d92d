import { planToJson, reviewToJson } from "../../contract/http/notes.ts";
import type { PlanStrategy } from "../../domain/gates/review-plan.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { planView, type WorkPlan } from "../../orchestration/gates/plan-work.ts";
import {
  loadPlan,
  type ReviewReport,
  type ReviewRequest,
  reviewPairs,
} from "../../orchestration/gates/review-notes.ts";
import { loadSeriesPlan, reviewSeries } from "../../orchestration/gates/review-series.ts";
import { budgetOf } from "../../orchestration/runs/budget-of.ts";
import { requireOffered, requirePrices } from "../../wiring/models/check-models.ts";
import { type ModelPrices, modelPrices } from "../../wiring/models/prices.ts";
import { runnersOf } from "../../wiring/models/runners.ts";
import { authorOf } from "../../wiring/project/author.ts";
import { renderCount } from "../shell/amounts.ts";
import { readBudget } from "../shell/budget-flag.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type ExitCode, exitCode } from "../shell/exit-code.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { printErr, printResult } from "../shell/print.ts";
import { isQuiet } from "../shell/quiet-flags.ts";
import {
  modelsToAsk,
  type NotesSession,
  notesSession,
  type ScopeFlags,
  scopeOf,
} from "./notes-context.ts";
import { NotesProgress } from "./notes-progress.ts";
import { readNotes } from "./read-notes.ts";
import { notesReviewLines, planLines } from "./render-notes-review.ts";
import { withNotes } from "./with-notes.ts";

export interface NotesReviewFlags extends ScopeFlags {
  readonly plan?: boolean;
  readonly strategy?: PlanStrategy;
  readonly maxWorkers: number;
  readonly budget?: string;
  readonly limit?: number;
  readonly yes?: boolean;
  readonly autoAck: boolean;
  readonly allowDirtyGates?: boolean;
  readonly retryUndecided?: boolean;
  readonly again?: boolean;
  readonly repeat?: number;
  readonly by?: string;
  readonly quiet?: boolean;
  readonly runner?: string;
}

type PlanRequest = Parameters<typeof loadPlan>[1];

const callsWithoutAsking = 100;
const microUsdWithoutAsking = 1_000_000;

interface ReviewCommand {
  readonly paths: readonly string[];
  readonly gates: readonly string[];
  readonly flags: NotesReviewFlags;
  readonly strategy: PlanStrategy;
}

export async function reviewNotesCommand(cli: CliContext, asked: ReviewCommand): Promise<void> {
  const flags = withRunner(asked.flags, asked.gates);
  const session = await notesSession(cli, flags);
  const { root, loaded } = session;
  const models = modelsToAsk(cli, session, flags);
  const request = {
    ...scopeOf(cli, root, { paths: asked.paths, flags }),
    models,
    strategy: flags.strategy ?? asked.strategy,
    retryUndecided: flags.retryUndecided === true,
    again: flags.again === true,
    ...defined({ panel: flags.panel, series: seriesOf(flags) }),
    autoAck: flags.autoAck,
    ...defined({ limit: flags.limit }),
  };
  if (flags.plan === true) return printPlan(cli, session, { request, flags });
  const budget = budgetOf(readBudget(flags.budget), loaded.settings);
  const progress = new NotesProgress(cli.screen.err, {
    layout: () => cli.layoutOf(cli.screen.err),
    quiet: isQuiet(flags),
  });
  await withNotes(cli, session, { flags, display: progress }, async (notes) => {
    const { tools, engine, signal, closeDisplay } = notes;
    const prices = modelPrices(loaded.settings, tools.clock.now());
    requirePrices(budget ?? {}, models, { settings: loaded.settings, at: tools.clock.now() });
    const asked: ReviewRequest = {
      ...request,
      allowDirtyGates: flags.allowDirtyGates === true,
      maxWorkers: flags.maxWorkers,
      by: (await authorOf(cli, flags)).by,
      signal,
      onProgress: (sweep) => progress.sweep(sweep),
      confirm: async (plan) => {
        const { aliases } = loaded.settings;
        const called = new Set(plan.calls.map(({ model }) => model));
        await requireOffered(runnersOf({ ...cli, ...session }), [...called], aliases);
        progress.begin(plan.calls.length);
        return maySpend(cli, { plan, models, flags, prices });
      },
      ...defined({ budget }),
    };
    const { series } = asked;
    const report =
      series === undefined
        ? await reviewPairs(tools, engine, asked)
        : await reviewSeries(tools, engine, { ...asked, series });
    closeDisplay();
    cli.end(codeOf(report, signal.aborted));
    conclude(cli, { report, models, flags });
  });
}

/** One answer is no series, and a panel votes by itself. */
function seriesOf({ repeat, panel, again }: NotesReviewFlags): number | undefined {
  if (repeat === undefined) return undefined;
  if (repeat < 2) throw invalidFlag(`--repeat ${repeat} is no series.`, "Give 2 or more.");
  if (panel === undefined && again !== true) return repeat;
  const other = panel === undefined ? "--again" : "--panel";
  throw invalidFlag(`--repeat and ${other} cannot be combined.`, "Give one of them.");
}

/** `--runner` names the model as well; gates of `sweep` come as arguments. */
function withRunner(flags: NotesReviewFlags, gates: readonly string[]): NotesReviewFlags {
  const model = flags.model ?? (flags.runner === undefined ? undefined : [flags.runner]);
  return { ...flags, gate: [...gates, ...(flags.gate ?? [])], ...defined({ model }) };
}

async function printPlan(
  cli: CliContext,
  session: NotesSession,
  { request, flags }: { readonly request: PlanRequest; readonly flags: NotesReviewFlags },
): Promise<void> {
  const { models } = request;
  await readNotes(cli, session, async (tools) => {
    const { series } = request;
    const { plan, acknowledged } =
      series === undefined
        ? await loadPlan(tools, request)
        : await loadSeriesPlan(tools, { ...request, series });
    const prices = modelPrices(session.loaded.settings, tools.clock.now());
    const microUsd = prices.range(models, plan.cost);
    const cost = { ...plan.cost, ...defined({ microUsd }) };
    const about = { models, acknowledged: acknowledged.length, microUsd, ...defined({ series }) };
    const json = planToJson(planView({ ...plan, cost }, acknowledged.length));
    printResult(cli, flags, json, planLines(plan, about));
  });
}

/** Asks before a large sweep, so that a first try on hundreds of notes is not expensive by accident. */
async function maySpend(
  cli: CliContext,
  about: {
    readonly plan: WorkPlan;
    readonly models: readonly string[];
    readonly flags: NotesReviewFlags;
    readonly prices: ModelPrices;
  },
): Promise<boolean> {
  const { plan, models, flags } = about;
  const money = about.prices.range(models, plan.cost);
  const free = money?.high === 0;
  const large =
    plan.calls.length > callsWithoutAsking || (money?.high ?? 0) > microUsdWithoutAsking;
  if (!large || free || flags.yes === true || flags.budget !== undefined) return true;
  if (!cli.screen.err.isTerminal) {
    throw new ConfigurationError(`This takes ${renderCount(plan.calls.length, "call")}.`, {
      code: "too-many-calls",
      facts: { calls: plan.calls.length },
      hint: "Add --yes, --budget or --limit; --plan shows what would be asked.",
    });
  }
  const { confirm } = await import("@clack/prompts");
  return (
    (await confirm({
      message: `This takes ${renderCount(plan.calls.length, "call")}. Continue?`,
    })) === true
  );
}

function codeOf(report: ReviewReport, interrupted: boolean): ExitCode {
  const { stop } = report.sweep;
  if (interrupted || stop?.kind === "interrupted") return exitCode.interrupted;
  if (stop?.kind === "budget") return exitCode.budget;
  if (stop !== undefined) return exitCode.outside;
  const { stale, failing } = report.after;
  return stale + failing > 0 ? exitCode.notAccepted : exitCode.accepted;
}

function conclude(
  cli: CliContext,
  about: {
    readonly report: ReviewReport;
    readonly models: readonly string[];
    readonly flags: NotesReviewFlags;
  },
): void {
  const { report, models, flags } = about;
  const standIn = models.every((model) => model.startsWith("offline/"));
  const lines = notesReviewLines(report, { models, standIn });
  printResult(cli, flags, reviewJson(report, standIn), lines);
  if (report.declined && flags.json !== true) printErr(cli, "Nothing was asked.");
}

function reviewJson(report: ReviewReport, standIn: boolean): Json {
  const { sweep, plan, lock, ruleReviews, finishedBefore, abandoned, after } = report;
  const { started: runs, completed, failed, tokens, microUsd, unreadable } = sweep;
  return reviewToJson({
    planned: plan.cost,
    actual: { runs, completed, failed, ...defined({ tokens, microUsd }) },
    acknowledged: report.acknowledged.length,
    ...{ ruleReviews, finishedBefore, abandoned },
    ...defined({ stopped: sweep.stop }),
    unreadable,
    otherModels: Object.fromEntries(sweep.otherModels),
    ...{ after, lock, standIn, ...defined({ votes: report.votes }) },
  });
}
