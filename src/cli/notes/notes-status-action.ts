import { statusToJson } from "../../contract/http/notes.ts";
import { defined } from "../../domain/values/defined.ts";
import { loadStatus } from "../../orchestration/gates/notes-status.ts";
import type { NotesTools } from "../../orchestration/gates/notes-tools.ts";
import type { NotesStatus } from "../../orchestration/gates/status-report.ts";
import { createStatusCache } from "../../wiring/features/status-cache.ts";
import { modelPrices } from "../../wiring/models/prices.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { printJson, printOut, printResult } from "../shell/print.ts";
import { pathsFor, type ShowPath } from "../shell/show-path.ts";
import { modelsOf, notesSession, pairInRoot, type StatusFlags, scopeOf } from "./notes-context.ts";
import { readNotes } from "./read-notes.ts";
import { explanationLines, statusLines } from "./render-notes-status.ts";

export async function showStatus(
  cli: CliContext,
  paths: readonly string[],
  flags: StatusFlags,
): Promise<void> {
  const session = await notesSession(cli, flags);
  const { root, loaded } = session;
  const models = modelsOf(cli, session, flags);
  const showPath = pathsFor(cli, root);
  await readNotes(cli, session, async (tools) => {
    if (flags.explain !== undefined) {
      const pair = pairInRoot(cli, root, flags.explain);
      return explain(cli, tools, { pair, models, flags, showPath });
    }
    const request = {
      ...scopeOf(cli, root, { paths, flags }),
      models,
      reasons: flags.reason ?? [],
      strictFormat: flags.strictFormat === true,
    };
    const status = await loadStatus(tools, request, createStatusCache(root));
    const patches =
      flags.diff === true ? await loadPatches(tools, status) : new Map<string, string>();
    cli.end(status.stale.length > 0 ? exitCode.notAccepted : exitCode.accepted);
    const prices = modelPrices(loaded.settings, tools.clock.now());
    const money = prices.range(status.models, status.cost);
    const how = { all: flags.all === true, patches, showPath, ...defined({ money }) };
    if (flags.json !== true) return printOut(cli, statusLines(status, how));
    const stale = status.stale.map((one) => {
      const diff = one.reason === "note-changed" ? patches.get(one.note) : undefined;
      return { ...one, ...defined({ diff }) };
    });
    const cost = { ...status.cost, ...defined({ microUsd: money }) };
    printJson(cli, statusToJson({ ...status, stale, cost }));
  });
}

/** Explains the state of one pair. */
async function explain(
  cli: CliContext,
  tools: NotesTools,
  asked: {
    readonly pair: string;
    readonly models: readonly string[];
    readonly flags: StatusFlags;
    readonly showPath: ShowPath;
  },
): Promise<void> {
  const { explainPair } = await import("../../orchestration/gates/explain-pair.ts");
  const pairs = await explainPair(tools, asked.pair, asked.models);
  const json = { pairs: pairs.map((one) => ({ ...one })) };
  printResult(cli, asked.flags, json, explanationLines(pairs, asked.showPath));
}

/** Loaded only with `--diff`. */
async function loadPatches(
  tools: NotesTools,
  status: NotesStatus,
): Promise<ReadonlyMap<string, string>> {
  const { changedTexts } = await import("../../orchestration/gates/explain-pair.ts");
  const { renderUnifiedDiff } = await import("../draft/unified-diff.ts");
  const texts = await changedTexts(tools, status);
  return new Map(
    texts.map(({ note, before, after }) => [note, renderUnifiedDiff(note, before, after)]),
  );
}
