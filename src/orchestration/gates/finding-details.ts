import {
  type FindingDetail,
  parseFindings,
  renderFindingDetails,
} from "../../contract/gates/findings-file.ts";
import type { LockLine } from "../../contract/gates/lock-file.ts";
import { fingerprintFinding } from "../../domain/gates/findings.ts";
import type { NotesSettings } from "../../domain/gates/notes-settings.ts";
import type { FiledFinding } from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { GateReviewRow } from "../../ports/review-repos.ts";
import type { NotesTools, WritingTools } from "./notes-tools.ts";
import { mergeByUnion } from "./union-merge.ts";

/** Beside the lock; written if `notes.findings` says so, and read wherever it exists. */
export function findingsPath({ lock }: Pick<NotesSettings, "lock">): string {
  return `${lock.replace(/\.lock$/, "")}.findings.jsonl`;
}

type FindingName = Pick<FindingDetail, "notePath" | "gateId" | "modelId" | "anchor">;

function keyOf({ notePath, gateId, modelId, anchor }: FindingName): string {
  return JSON.stringify([notePath, gateId, modelId, anchor]);
}

/** What reviews said about findings that the lock only names: from the store, else from the file beside the lock. */
export class FindingDetails {
  readonly #known: ReadonlyMap<string, FindingDetail>;

  private constructor(known: ReadonlyMap<string, FindingDetail>) {
    this.#known = known;
  }

  static async load(tools: NotesTools, notes: Iterable<string>): Promise<FindingDetails> {
    const { files, settings } = tools;
    const written = parseFindings((await files.read(findingsPath(settings))) ?? "");
    const stored = await storedDetails(tools, notes);
    return new FindingDetails(new Map([...written, ...stored].map((one) => [keyOf(one), one])));
  }

  of(
    pair: Omit<FindingName, "anchor">,
    { anchor }: Pick<FiledFinding, "anchor">,
  ): FindingDetail | undefined {
    return this.#known.get(keyOf({ ...pair, anchor }));
  }
}

async function storedDetails(
  { store, digest }: NotesTools,
  notes: Iterable<string>,
): Promise<readonly FindingDetail[]> {
  const found: FindingDetail[] = [];
  for (const path of new Set(notes)) {
    const rows = await store?.read(({ reviews }) => reviews.gateReviews.ofNote(path));
    for (const row of rows ?? []) found.push(...detailsOf(row, digest));
  }
  return found;
}

function detailsOf(row: GateReviewRow, digest: NotesTools["digest"]): readonly FindingDetail[] {
  const { notePath, gateId, model: modelId, suggestedRevision } = row;
  return row.findings.flatMap((finding) => {
    const { severity, message, quote, line } = finding;
    if (severity === "info") return [];
    const { anchor } = fingerprintFinding({ gateId, notePath, finding }, digest);
    const more = defined({ quote, line, suggestedRevision });
    return [{ notePath, gateId, modelId, anchor, severity, message, ...more }];
  });
}

/** Adds what the store knows about the findings of the lock's lines; with `compact`, drops what no line names. */
export async function writeFindings(
  tools: WritingTools,
  lines: readonly LockLine[],
  { compact }: { readonly compact: boolean },
): Promise<void> {
  const { files, settings } = tools;
  if (!settings.findings) return;
  const path = findingsPath(settings);
  const before = (await files.read(path)) ?? "";
  const present = parseFindings(before);
  const known = new Set(present.map(keyOf));
  const named = new Set(lines.flatMap((line) => line.findings.map((one) => nameIn(line, one))));
  const missing = lines.filter((line) =>
    line.findings.some((one) => !known.has(nameIn(line, one))),
  );
  const stored = await storedDetails(
    tools,
    missing.map(({ notePath }) => notePath),
  );
  const added = stored.filter((one) => named.has(keyOf(one)) && !known.has(keyOf(one)));
  const kept = compact ? present.filter((one) => named.has(keyOf(one))) : present;
  await saveFindings(tools, before, [...kept, ...lastOfEach(added)]);
}

/** A finding that was reviewed again in other words is the same one. */
function lastOfEach(details: readonly FindingDetail[]): readonly FindingDetail[] {
  return [...new Map(details.map((one) => [keyOf(one), one])).values()];
}

function nameIn({ notePath, gateId, modelId }: LockLine, { anchor }: FiledFinding): string {
  return keyOf({ notePath, gateId, modelId, anchor });
}

/** Moved notes take what is known about their findings along. */
export async function renameFindings(
  tools: WritingTools,
  renamed: ReadonlyMap<string, string>,
): Promise<void> {
  const before = await tools.files.read(findingsPath(tools.settings));
  if (before === undefined) return;
  const after = parseFindings(before).map((one) => ({
    ...one,
    notePath: renamed.get(one.notePath) ?? one.notePath,
  }));
  await saveFindings(tools, before, after);
}

async function saveFindings(
  tools: WritingTools,
  before: string,
  details: readonly FindingDetail[],
): Promise<void> {
  const path = findingsPath(tools.settings);
  const content = renderFindingDetails(details);
  if (content === before) return;
  await tools.files.write([{ path, content }]);
  await mergeByUnion(tools, path);
}
