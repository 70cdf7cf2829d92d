import { statusToJson } from "../../contract/http/notes.ts";
import { loadStatus } from "../../orchestration/gates/notes-status.ts";
import type { NotesTools } from "../../orchestration/gates/notes-tools.ts";
import type { NotesStatus, StatusReason } from "../../orchestration/gates/status-report.ts";
import { openNotesForReading } from "../../wiring/notes-reading.ts";
import { type ModelPrices, modelPrices } from "../../wiring/prices.ts";
import { createStatusCache } from "../../wiring/status-cache.ts";
import type { CliContext } from "../cli-context.ts";
import { exitCode } from "../exit-code.ts";
import { renderExplanations, renderStatus } from "../render/notes-status.ts";
import { printLines } from "../terminal/screen.ts";
import { modelsOf, notesSession, type ScopeFlags, scopeOf } from "./notes-context.ts";
import { printJson } from "./print.ts";

export interface StatusFlags extends ScopeFlags {
  readonly reason?: readonly StatusReason[];
  readonly diff?: boolean;
  readonly strictFormat?: boolean;
  readonly explain?: string;
  readonly all?: boolean;
}

export async function showStatus(
  cli: CliContext,
  paths: readonly string[],
  flags: StatusFlags,
): Promise<void> {
  const session = await notesSession(cli, flags);
  const { root, loaded } = session;
  const { tools, close } = await openNotesForReading(root, cli.environment, loaded.settings);
  try {
    const models = modelsOf(cli, session, flags);
    if (flags.explain !== undefined) {
      const { explainPair } = await import("../../orchestration/gates/explain-pair.ts");
      const explained = await explainPair(tools, flags.explain, models);
      if (flags.json === true)
        return printJson(cli, { pairs: explained.map((one) => ({ ...one })) });
      const lines = renderExplanations(explained, cli.layoutOf(cli.screen.out));
      return printLines(cli.screen.out, lines);
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
  const { renderUnifiedDiff } = await import("../render/unified-diff.ts");
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
  if (flags.json === true) {
    const stale = status.stale.map((pair) => {
      const diff = pair.reason === "note-changed" ? patches.get(pair.note) : undefined;
      return diff === undefined ? pair : { ...pair, diff };
    });
    const cost = money === undefined ? status.cost : { ...status.cost, microUsd: money };
    printJson(cli, statusToJson({ ...status, stale, cost }));
    return;
  }
  const layout = cli.layoutOf(cli.screen.out);
  const how = { all: flags.all === true, patches, ...(money === undefined ? {} : { money }) };
  printLines(cli.screen.out, renderStatus(status, layout, how));
}
