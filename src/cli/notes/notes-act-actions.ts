import type { CiFormat } from "../../contract/gates/ci-format-names.ts";
import { workToJson } from "../../contract/http/notes.ts";
import type { Settled } from "../../domain/gates/decision.ts";
import { isInForce } from "../../domain/gates/rulings.ts";
import { visibleLine } from "../../domain/values/visible.ts";
import { acknowledgeTrivial } from "../../orchestration/gates/acknowledge.ts";
import { loadWorld } from "../../orchestration/gates/load-world.ts";
import { writeLock } from "../../orchestration/gates/lock-file.ts";
import { adoptMovedNotes, moveNotes } from "../../orchestration/gates/move-notes.ts";
import { acknowledgePairs, overridePairs } from "../../orchestration/gates/rule-pairs.ts";
import { selectPairs } from "../../orchestration/gates/select-pairs.ts";
import type { TargetPair } from "../../orchestration/gates/target-pair.ts";
import { dismissFinding, loadWork } from "../../orchestration/gates/warn-queue.ts";
import { reportWork } from "../../orchestration/gates/work-report.ts";
import { authorOf } from "../../wiring/project/author.ts";
import { createCrashPoints } from "../../wiring/project/crash-points.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { ownReason } from "../shell/own-words.ts";
import { type JsonFlags, printResult } from "../shell/print.ts";
import { pathsFor } from "../shell/show-path.ts";
import {
  modelsOf,
  type NotesSession,
  notesSession,
  pairInRoot,
  pathInRoot,
  type ScopeFlags,
  scopeOf,
} from "./notes-context.ts";
import { readNotes } from "./read-notes.ts";
import { ackLines, moveLines, workLines } from "./render-note-acts.ts";
import { changeNotes } from "./with-notes.ts";

export interface AckFlags extends ScopeFlags {
  readonly reason?: string;
  readonly trivial?: boolean;
  readonly dryRun?: boolean;
  readonly by?: string;
  readonly expires?: string;
}

export async function acknowledge(
  cli: CliContext,
  typed: readonly string[],
  flags: AckFlags,
): Promise<void> {
  const { trivial = false, dryRun = false } = flags;
  if (trivial === typed.length > 0)
    throw invalidFlag("Name pairs as NOTE:GATE, or give --trivial.");
  const reason = trivial
    ? ""
    : await ownReason(cli, flags, "Why do the earlier reviews still hold?");
  const session = await notesSession(cli, flags);
  const { root } = session;
  const names = typed.map((name) => pairInRoot(cli, root, name));
  await changeNotes(cli, session, async ({ tools }) => {
    const models = modelsOf(cli, session, flags);
    const { by } = await authorOf(cli, flags);
    const world = await loadWorld(tools, scopeOf(cli, root, { paths: [], flags }));
    const ruling = { reason, by, dryRun, ...expiryOf(flags, tools.clock) };
    const acked = trivial
      ? await acknowledgeTrivial(tools, (await selectPairs(tools, world, { models })).trivial, {
          by,
          dryRun,
        })
      : await acknowledgePairs(tools, world, { names, models, ...ruling });
    if (acked.written && trivial) await writeLock(tools);
    const pairs = acked.pairs.map(pairJson);
    const json = { acknowledged: pairs, dry_run: dryRun };
    const nothing = trivial
      ? "Nothing to acknowledge: there is no trivial change."
      : "Nothing to acknowledge: every pair named is fresh.";
    const words = { dryRun, verb: "Acknowledged", nothing, showPath: pathsFor(cli, root) };
    printResult(cli, flags, json, ackLines(pairs, words));
  });
}

function pairJson({ note, gate, model }: TargetPair) {
  return { note: note.path, gate: gate.id, model };
}

export interface OverrideFlags extends Omit<AckFlags, "trivial"> {
  readonly to: Settled;
}

export async function override(
  cli: CliContext,
  typed: readonly string[],
  flags: OverrideFlags,
): Promise<void> {
  const { to: decision, dryRun = false } = flags;
  const reason = await ownReason(cli, flags, `Why is it a ${decision}?`);
  const session = await notesSession(cli, flags);
  const names = typed.map((name) => pairInRoot(cli, session.root, name));
  await changeNotes(cli, session, async ({ tools }) => {
    const models = modelsOf(cli, session, flags);
    const { by } = await authorOf(cli, flags);
    const world = await loadWorld(tools, scopeOf(cli, session.root, { paths: [], flags }));
    const act = { names, models, reason, by, dryRun, decision, ...expiryOf(flags, tools.clock) };
    const pairs = (await overridePairs(tools, world, act)).pairs.map(pairJson);
    const showPath = pathsFor(cli, session.root);
    const nothing = `Nothing to override: the verdict is ${decision} already.`;
    const verb = `Overridden to ${decision}:`;
    const lines = ackLines(pairs, { dryRun, verb, nothing, showPath });
    printResult(cli, flags, { overridden: pairs, decision, dry_run: dryRun }, lines);
  });
}

function expiryOf(
  { expires }: { readonly expires?: string },
  { now }: { now(): string },
): { readonly expires?: string } {
  if (expires === undefined) return {};
  const hint = "Write the last day on which the ruling holds, such as --expires 2027-03-31.";
  if (!/^\d{4}-\d{2}-\d{2}$/.test(expires) || Number.isNaN(Date.parse(expires)))
    throw invalidFlag(`--expires ${expires} is not a day.`, hint);
  if (!isInForce({ expires }, now()))
    throw invalidFlag(`--expires ${expires} is in the past.`, hint);
  return { expires };
}

export interface WarnFlags extends ScopeFlags {
  readonly dismiss?: string;
  readonly reason?: string;
  readonly by?: string;
  readonly dismissed?: boolean;
  readonly expires?: string;
  readonly format?: CiFormat | "text" | "json";
}

export async function showWork(
  cli: CliContext,
  paths: readonly string[],
  flags: WarnFlags,
): Promise<void> {
  const session = await notesSession(cli, flags);
  if (flags.dismiss !== undefined) return dismissIn(cli, session, { ...flags, id: flags.dismiss });
  await readNotes(cli, session, async (tools) => {
    const scope = scopeOf(cli, session.root, { paths, flags });
    const work = await loadWork(tools, { ...scope, includeDismissed: flags.dismissed === true });
    const current = work.some(({ items }) =>
      items.some(({ outdated, dismissed }) => outdated === undefined && dismissed === undefined),
    );
    cli.end(current ? exitCode.notAccepted : exitCode.accepted);
    const format = flags.json === true ? "json" : (flags.format ?? "text");
    if (format !== "json" && format !== "text") {
      const { renderCi } = await import("../../contract/gates/ci-formats.ts");
      return cli.screen.out.write(renderCi(await reportWork(tools, work), format));
    }
    const notes = work.map(({ notePath, items }) => ({ note: notePath, findings: items }));
    printResult(
      cli,
      { json: format === "json" },
      workToJson({ notes }),
      workLines(work, pathsFor(cli, session.root)),
    );
  });
}

export async function dismiss(cli: CliContext, id: string, flags: DismissFlags): Promise<void> {
  return dismissIn(cli, await notesSession(cli, flags), { ...flags, id });
}

export interface DismissFlags extends JsonFlags {
  readonly reason?: string;
  readonly by?: string;
  readonly expires?: string;
}

async function dismissIn(
  cli: CliContext,
  session: NotesSession,
  flags: DismissFlags & { readonly id: string },
): Promise<void> {
  const { id: fingerprint } = flags;
  const reason = await ownReason(cli, flags, "Why does this finding need no work?");
  await changeNotes(cli, session, async ({ tools }) => {
    const { by } = await authorOf(cli, flags);
    const item = await dismissFinding(tools, {
      fingerprint,
      reason,
      by,
      ...expiryOf(flags, tools.clock),
    });
    const json = { dismissed: item.fingerprint, note: item.notePath, gate: item.gate };
    const until = item.survivesRewording
      ? "It stays dismissed until the quoted paragraph changes."
      : "The finding quotes nothing, so it stays dismissed only while the note and the finding's text are unchanged.";
    const text = `Dismissed: ${visibleLine(item.notePath)} (${item.gate}): ${item.message}. ${until}`;
    printResult(cli, flags, json, text);
  });
}

export interface MoveFlags extends JsonFlags {
  readonly apply?: boolean;
  readonly adopt?: boolean;
  readonly by?: string;
}

export async function moveNotesCommand(
  cli: CliContext,
  paths: readonly string[],
  flags: MoveFlags,
): Promise<void> {
  const session = await notesSession(cli, flags);
  const { root } = session;
  const [from, to] = paths;
  const adopts = flags.adopt === true && paths.length === 0;
  if (!adopts && (from === undefined || to === undefined || flags.adopt === true))
    throw invalidFlag("Give OLD and NEW, or --adopt alone.");
  await changeNotes(cli, session, async ({ tools, again }) => {
    const act = {
      apply: flags.apply === true,
      by: (await authorOf(cli, flags)).by,
      crash: createCrashPoints(cli.environment),
      reopen: again,
    };
    const moved = adopts
      ? await adoptMovedNotes(tools, act)
      : await moveNotes(
          tools,
          {
            oldPath: pathInRoot(cli, root, from ?? ""),
            newPath: pathInRoot(cli, root, to ?? "") + (to?.endsWith("/") === true ? "/" : ""),
          },
          act,
        );
    const { plan, notes, applied } = moved;
    const moves = plan.moves.map(({ oldPath, newPath }) => ({ old: oldPath, new: newPath }));
    const edits = plan.edits.map(({ path, rewrites }) => ({ path, links: rewrites.length }));
    printResult(cli, flags, { applied, moves, edits, notes: [...notes] }, moveLines(moved));
  });
}

export async function lockNotes(cli: CliContext, flags: JsonFlags): Promise<void> {
  await changeNotes(cli, await notesSession(cli, flags), async ({ tools }) => {
    const { path, lines, changed, problems } = await writeLock(tools, { compact: true });
    const json = {
      ...{ path, lines, changed },
      problems: problems.map(({ line, message }) => ({ line, message })),
    };
    const dropped = problems
      .map(({ line, message }) => `Dropped line ${line}: ${message}.\n`)
      .join("");
    const text = `${dropped}${path} has ${renderCount(lines, "line")}${changed ? "" : ", unchanged"}.`;
    printResult(cli, flags, json, text);
  });
}
