import { parseConfig } from "../../contract/config/parse-config.ts";
import { type LockLine, lockKey, parseLock, renderLock } from "../../contract/gates/lock-file.ts";
import { parseRulings, renderRuling } from "../../contract/gates/rulings-file.ts";
import { isWorse, outranks } from "../../domain/gates/counting-verdict.ts";
import type { Settled } from "../../domain/gates/decision.ts";
import type { Ruling } from "../../domain/gates/rulings.ts";
import { canonicalJson } from "../../domain/values/canonical-json.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import type { NotesTools } from "./notes-tools.ts";
import { rulingsPath } from "./rulings-path.ts";

/** What differs from a revision and bears on reviews. */
export interface ChangesSince {
  readonly revision: string;
  readonly notes: ReadonlySet<string>;
  /** Files of gates that were changed, added or removed. */
  readonly gateFiles: ReadonlySet<string>;
  /** Pairs with changed, added or deleted lines in the lock. */
  readonly locked: readonly { readonly notePath: string; readonly gateId: string }[];
  /** Lines that did not pass and are gone. No command deletes one that fits, so they still count. */
  readonly deletedVerdicts: readonly LockLine[];
  /** New votes and acknowledgements, each of which counts before single verdicts. */
  readonly outranking: readonly OutrankingLine[];
  readonly rulings: readonly Ruling[];
  /** Rulings that were there and are not any more; no command deletes one. */
  readonly deletedRulings: readonly Ruling[];
  /** Settings that choose notes, gates or judges, by name. */
  readonly settings: readonly string[];
}

export interface OutrankingLine {
  readonly line: LockLine;
  /** The worst single verdict of the same versions that is worse than the line's. */
  readonly over?: Settled;
}

const settingsFile = "signoff.yaml";

export async function loadChanges(tools: NotesTools, revision: string): Promise<ChangesSince> {
  const { source, settings, files } = tools;
  const rulingsFile = rulingsPath(settings);
  const folders = [...settings.roots, settings.gates];
  const changed = await source.changedSince(revision, folders);
  const both = async (path: string) =>
    [(await source.textAt(revision, path)) ?? "", (await files.read(path)) ?? ""] as const;
  const [rulingsThen, rulingsNow] = await both(rulingsFile);
  const [before, after] = [parseRulings(rulingsThen).rulings, parseRulings(rulingsNow).rulings];
  const [lockThen, lockNow] = await both(settings.lock);
  const isSameLock = lockThen === lockNow;
  const then = isSameLock ? [] : parseLock(lockThen).lines;
  const now = isSameLock ? [] : parseLock(lockNow).lines;
  return {
    revision,
    notes: changed,
    gateFiles: new Set([...changed].filter((path) => path.startsWith(`${settings.gates}/`))),
    locked: differingLines(then, now),
    deletedVerdicts: missingVerdicts(then, now),
    outranking: newOutranking(then, now),
    rulings: without(after, before),
    deletedRulings: without(before, after),
    settings: changedSettings(...(await both(settingsFile))),
  };
}

/** A file that cannot be read differs as a whole. */
function changedSettings(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const [then, now] = [settingsIn(before), settingsIn(after)];
  if (then === undefined || now === undefined) return ["all settings"];
  const keys = [...new Set([...then.keys(), ...now.keys()])].sort();
  return keys.filter((key) => then.get(key) !== now.get(key));
}

function settingsIn(text: string): ReadonlyMap<string, string> | undefined {
  if (text === "") return new Map();
  const read = parseConfig(text, settingsFile);
  if (read.kind === "problems") return undefined;
  const { notes = {}, models: { judge, aliases, partitions } = {} } = read.value.file;
  const named = [
    ...Object.entries(notes).map(([key, value]) => [`notes.${key}`, value] as const),
    ...Object.entries({ judge, aliases, partitions }).map(
      ([key, value]) => [`models.${key}`, value] as const,
    ),
  ];
  return new Map(
    named.flatMap(([key, value]) =>
      value === undefined ? [] : [[key, canonicalJson(value as Json)] as const],
    ),
  );
}

/** Changed, added and deleted lines. */
function differingLines(then: readonly LockLine[], now: readonly LockLine[]): readonly LockLine[] {
  const written = (lines: readonly LockLine[]) => new Set(lines.map((line) => renderLock([line])));
  const [known, present] = [written(then), written(now)];
  return [...then, ...now].filter((line) => {
    const text = renderLock([line]);
    return known.has(text) !== present.has(text);
  });
}

function newOutranking(
  then: readonly LockLine[],
  now: readonly LockLine[],
): readonly OutrankingLine[] {
  const known = new Set(then.filter(outranks).map((line) => renderLock([line])));
  const single = Map.groupBy(
    [...then, ...now].filter((one) => !outranks(one)),
    lockKey,
  );
  return now
    .filter((line) => outranks(line) && !known.has(renderLock([line])))
    .map((line) => {
      const worse = (single.get(lockKey(line)) ?? [])
        .filter((one) => isWorse(one.decision, line.decision) && hasSameVersions(one, line))
        .map(({ decision }) => decision);
      const [over] = worse.includes("fail") ? (["fail"] as const) : worse;
      return { line, ...defined({ over }) };
    });
}

function hasSameVersions(one: LockLine, other: LockLine): boolean {
  const isSame = (blob: "acceptedNoteSha" | "acceptedGateSha", part: "note" | "gate"): boolean =>
    one[blob] === other[blob] ||
    (one.digests !== undefined && one.digests[part] === other.digests?.[part]);
  return isSame("acceptedNoteSha", "note") && isSame("acceptedGateSha", "gate");
}

/** Verdicts that no line of the same versions and weight is as bad as any more. */
function missingVerdicts(then: readonly LockLine[], now: readonly LockLine[]): readonly LockLine[] {
  const keyOf = (line: LockLine) =>
    [lockKey(line), line.acceptedNoteSha, line.acceptedGateSha].join("\n");
  const present = Map.groupBy(now, keyOf);
  return then.filter(
    (line) =>
      line.decision !== "pass" &&
      !present
        .get(keyOf(line))
        ?.some(
          (one) => !isWorse(line.decision, one.decision) && (outranks(one) || !outranks(line)),
        ),
  );
}

function without(rulings: readonly Ruling[], others: readonly Ruling[]): readonly Ruling[] {
  const known = new Set(others.map(renderRuling));
  return rulings.filter((ruling) => !known.has(renderRuling(ruling)));
}
