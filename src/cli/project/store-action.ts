import { resolve } from "node:path";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { existsStore, readStore } from "../../wiring/project/project-store.ts";
import {
  backUpProject,
  recoverProject,
  restoreProject,
} from "../../wiring/project/rescue-project.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { ownWords } from "../shell/own-words.ts";
import { type JsonFlags, printResult, projectPlaceOf, rootOf } from "../shell/print.ts";
import { caution } from "../shell/styles.ts";

const nothing = { bytes: 0, freeBytes: 0, runs: 0, calls: 0, events: 0, texts: 0 };

export async function showSize(cli: CliContext, flags: JsonFlags): Promise<void> {
  const size = await readStore(projectPlaceOf(cli), async (store) =>
    store === undefined ? nothing : store.read(({ storage }) => storage.size()),
  );
  const { bytes, freeBytes, runs, calls, events, texts } = size;
  const free = freeBytes === 0 ? "" : ` (${kilobytes(freeBytes)} free for new rows)`;
  const json = { bytes, free_bytes: freeBytes, runs, calls, events, texts };
  printResult(cli, flags, json, `${kilobytes(bytes)}${free}: ${contents(size)}.`);
}

export async function backUp(cli: CliContext, file: string, flags: JsonFlags): Promise<void> {
  const target = resolve(cli.cwd, file);
  requireFile(cli, "back up");
  requireStore(rootOf(cli));
  backUpProject(rootOf(cli), target);
  printResult(cli, flags, { file: target }, `Backed up to ${target}.`);
}

export async function restore(
  cli: CliContext,
  file: string | undefined,
  flags: JsonFlags,
): Promise<void> {
  requireFile(cli, "restore");
  const wanted = {
    ...{ flag: "The backup", question: "Which file is it?" },
    example: "`signoff store restore signoff-backup.db`",
  };
  const backup = resolve(cli.cwd, await ownWords(cli, file, wanted));
  const kept = restoreProject(rootOf(cli), backup);
  const said = kept === undefined ? "" : ` The store before is kept as ${kept}.`;
  printResult(cli, flags, { file: backup, kept: kept ?? null }, `Restored from ${backup}.${said}`);
}

/** Exit 5 if something is damaged. */
export async function check(cli: CliContext, flags: JsonFlags): Promise<void> {
  const { damage, size } = await readStore(projectPlaceOf(cli), async (store) => ({
    damage: (await store?.damage()) ?? [],
    size: (await store?.read(({ storage }) => storage.size())) ?? nothing,
  }));
  cli.end(damage.length === 0 ? exitCode.accepted : exitCode.outside);
  const { runs, calls, events, texts } = size;
  const json = { damage: [...damage], runs, calls, events, texts };
  printResult(cli, flags, json, [
    ...damage.map((text) => caution(`Damaged: ${text}.`)),
    ...(damage.length === 0 ? [`The store is intact: ${contents(size)}.`] : []),
  ]);
}

/** Exit 1 if something was lost: what is listed has to be looked at. */
export async function recover(cli: CliContext, flags: JsonFlags): Promise<void> {
  const root = rootOf(cli);
  if (cli.environment.databaseUrl !== undefined) return await recoverDatabase(cli, flags);
  requireStore(root);
  const { tables, kept } = recoverProject(root);
  const lost = tables.filter(({ isWhole, orphans }) => !isWhole || orphans > 0);
  cli.end(lost.length === 0 ? exitCode.accepted : exitCode.notAccepted);
  const rows = tables.reduce((sum, table) => sum + table.rows - table.orphans, 0);
  const json = { rows, kept: kept ?? null, tables: tables.map((table) => ({ ...table })) };
  printResult(cli, flags, json, [
    `Recovered ${renderCount(rows, "row")}. The store before is kept as ${kept}.`,
    ...lost.map(({ table, rows: read, isWhole, orphans }) =>
      caution(
        `  ${table}: ${renderCount(read, "row")} read${isWhole ? "" : ", others cannot be read"}${orphans === 0 ? "" : `, ${orphans} of them without their run`}`,
      ),
    ),
    ...(lost.length === 0 ? ["Nothing was lost."] : []),
    "Next: signoff doctor --repair",
  ]);
}

async function recoverDatabase(cli: CliContext, flags: JsonFlags): Promise<void> {
  const { recoverShared } = await import("../../wiring/project/shared-store.ts");
  const { released } = await recoverShared(projectPlaceOf(cli));
  printResult(cli, flags, { released }, [
    `All leases from before the restore are ended; ${renderCount(released, "run")} had a holder and can be resumed.`,
    "Next: signoff doctor --repair",
  ]);
}

function contents({
  runs,
  calls,
  events,
  texts,
}: Omit<typeof nothing, "bytes" | "freeBytes">): string {
  return [
    renderCount(runs, "run"),
    renderCount(calls, "call"),
    renderCount(events, "event"),
    renderCount(texts, "text"),
  ].join(", ");
}

function requireStore(root: string): void {
  if (existsStore(root)) return;
  throw new ConfigurationError(`There is no store in ${root} yet.`, {
    code: "store-missing",
    hint: "It is made by the first run; a backup is put in place with `signoff store restore`.",
  });
}

function requireFile(cli: CliContext, what: string): void {
  if (cli.environment.databaseUrl === undefined) return;
  throw new ConfigurationError(
    `The record is in a database, which this command does not ${what}.`,
    {
      code: "store-is-shared",
      hint: "Use the tools of PostgreSQL (see docs/scale.md), or `signoff store copy --from database --to signoff-copy.db`.",
    },
  );
}

function kilobytes(bytes: number): string {
  if (bytes < 1_048_576) return `${Math.ceil(bytes / 1_024)} KiB`;
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
