import { statusToJson } from "../../contract/http/notes.ts";
import { defined } from "../../domain/values/defined.ts";
import { loadStatus } from "../../orchestration/gates/notes-status.ts";
import type { NotesTools } from "../../orchestration/gates/notes-tools.ts";
import type { NotesStatus, StatusRequest } from "../../orchestration/gates/status-report.ts";
import { openNotesForReading } from "../../wiring/features/notes-reading.ts";
import { createStatusCache } from "../../wiring/features/status-cache.ts";
import { type ModelPrices, modelPrices } from "../../wiring/models/prices.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { printResult } from "../shell/print.ts";
import type { NotesSession, StatusFlags } from "./notes-context.ts";
import { statusLines } from "./render-notes-status.ts";

export async function answerStatus(
  cli: CliContext,
  { root, loaded }: NotesSession,
  { request, flags }: { readonly request: StatusRequest; readonly flags: StatusFlags },
): Promise<void> {
  const { tools, close } = await openNotesForReading(root, cli.environment, loaded.settings);
  try {
    const status = await loadStatus(tools, request, createStatusCache(root));
    const patches =
      flags.diff === true ? await loadPatches(tools, status) : new Map<string, string>();
    cli.end(status.stale.length > 0 ? exitCode.notAccepted : exitCode.accepted);
    const prices = modelPrices(loaded.settings, tools.clock.now());
    print(cli, { status, patches, flags, prices });
  } finally {
    close();
  }
}

/** Most answers need neither: they are loaded with the flag. */
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

function print(
  cli: CliContext,
  shown: {
    readonly status: NotesStatus;
    readonly patches: ReadonlyMap<string, string>;
    readonly flags: StatusFlags;
    readonly prices: ModelPrices;
  },
): void {
  const { status, patches, flags } = shown;
  const money = shown.prices.range(status.models, status.cost);
  const how = { all: flags.all === true, patches, ...defined({ money }) };
  const stale = status.stale.map((pair) => {
    const diff = pair.reason === "note-changed" ? patches.get(pair.note) : undefined;
    return { ...pair, ...defined({ diff }) };
  });
  const cost = { ...status.cost, ...defined({ microUsd: money }) };
  printResult(cli, flags, statusToJson({ ...status, stale, cost }), statusLines(status, how));
}
