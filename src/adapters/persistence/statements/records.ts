import { digest } from "../../../domain/values/digest.ts";
import type { Key, RunId } from "../../../domain/values/ids.ts";
import type { Json } from "../../../domain/values/json.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { CallFacts, Lease, Recorded, StoredEvent } from "../../../ports/journal.ts";
import {
  decodeText,
  digestOf,
  encodeText,
  findText,
  isLong,
  keepLong,
  keepText,
  nothingPlaced,
  placedJson,
  placedText,
  placeJson,
  placeText,
  storedJson,
} from "./texts.ts";
import { all, change, get, together, type Unit } from "./unit.ts";

interface CallRow {
  readonly digest: string;
  readonly value: string | null;
  readonly value_text: string | null;
  readonly reply: string | null;
}

interface FactsRow {
  readonly role: string | null;
  readonly model: string;
  readonly system_text: string;
  readonly prompt: string | null;
  readonly prompt_text: string | null;
  readonly expects: string;
  readonly settings: string;
  readonly format_version: string;
}

interface EventRow {
  readonly seq: number;
  readonly kind: string;
  readonly data: string | null;
  readonly data_text: string | null;
}

export function* findRecord(run: RunId, key: Key): Unit<Recorded | undefined> {
  const row = yield* get<CallRow>(
    "SELECT digest, value, value_text, reply FROM calls WHERE run = ? AND key = ?",
    run,
    key,
  );
  if (row === undefined) return undefined;
  const value = yield* placedJson({ inline: row.value, text: row.value_text });
  return { key, digest: digest(row.digest), value: withReply(value, row.reply) };
}

export function* findFacts(run: RunId, key: Key): Unit<CallFacts | undefined> {
  const row = yield* get<FactsRow>(
    `SELECT role, model, system_text, prompt, prompt_text, expects, settings, format_version
     FROM calls WHERE run = ? AND key = ?`,
    run,
    key,
  );
  if (row === undefined || row.role === null) return undefined;
  return {
    role: row.role,
    model: row.model,
    system: decodeText(yield* findText(row.system_text)),
    user: yield* placedText({ inline: row.prompt, text: row.prompt_text }),
    expects: row.expects,
    settings: storedJson(row.settings),
    formatVersion: row.format_version,
  };
}

/**
 * Keeps the first value at a key. The same question again changes nothing; a different question at the same key is
 * a bug of the caller and is refused. System texts are the same in every turn, so they are always shared.
 */
export function* keepRecord(
  run: RunId,
  { entry, facts }: { readonly entry: Recorded; readonly facts: CallFacts | undefined },
): Unit<void> {
  const { rest, reply } = replyApart(entry.value);
  const value = placeJson(rest);
  const prompt = facts === undefined ? nothingPlaced : placeText(facts.user);
  const system = facts === undefined ? undefined : encodeText(facts.system);
  const systemDigest = system === undefined ? "" : digestOf(system);
  const [added] = yield* together(
    change(
      `INSERT INTO calls (run, key, digest, value, value_text, reply, role, model, system_text,
         prompt, prompt_text, expects, settings, format_version)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      run,
      entry.key,
      entry.digest,
      value.inline,
      value.text,
      reply,
      facts?.role ?? null,
      facts?.model ?? null,
      system === undefined ? null : systemDigest,
      prompt.inline,
      prompt.text,
      facts?.expects ?? null,
      facts === undefined ? null : JSON.stringify(facts.settings),
      facts?.formatVersion ?? null,
    ),
    ...keepLong(value, prompt),
    ...(system === undefined ? [] : [keepText(system, systemDigest)]),
  );
  if (added === 0) {
    yield* refuseOtherDigest(run, entry);
  }
}

/** Splits the text of a reply from the rest of its value, unless it is long; an empty member marks its position. */
function replyApart(value: Json): { readonly rest: Json; readonly reply: string | null } {
  return isReply(value) && !isLong(value.text)
    ? { rest: { ...value, text: "" }, reply: encodeText(value.text) }
    : { rest: value, reply: null };
}

function withReply(rest: Json, reply: string | null): Json {
  return reply !== null && isReply(rest) ? { ...rest, text: decodeText(reply) } : rest;
}

function isReply(value: Json): value is { readonly [name: string]: Json; readonly text: string } {
  return (
    typeof value === "object" && value !== null && "text" in value && typeof value.text === "string"
  );
}

/**
 * An event number that is already stored stays unchanged: replayed flows emit their events again. Those are not
 * even encoded, and only a run that was held before can have any.
 */
export function* keepEvents({ run, epoch }: Lease, events: readonly StoredEvent[]): Unit<void> {
  const known = epoch === 1 || events.length === 0 ? 0 : yield* lastEvent(run);
  const units: Unit<unknown>[] = [];
  for (const event of events) {
    if (event.seq <= known) continue;
    const { seq, kind, data } = event;
    const placed = placeJson(data);
    units.push(
      change(
        `INSERT INTO events (run, seq, kind, data, data_text) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
        run,
        seq,
        kind,
        placed.inline,
        placed.text,
      ),
    );
    if (placed.long !== undefined) units.push(...keepLong(placed));
  }
  if (units.length > 0) yield* together(...units);
}

function* lastEvent(run: RunId): Unit<number> {
  const row = yield* get<{ last: number | null }>(
    "SELECT MAX(seq) AS last FROM events WHERE run = ?",
    run,
  );
  return row?.last ?? 0;
}

export function* loadEvents(
  run: RunId,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Unit<readonly StoredEvent[]> {
  const rows = yield* all<EventRow>(
    `SELECT seq, kind, data, data_text FROM events WHERE run = ? AND seq > ?
     ORDER BY seq LIMIT ?`,
    run,
    afterSeq,
    limit,
  );
  const events: StoredEvent[] = [];
  for (const { seq, kind, data, data_text } of rows) {
    const placed = { inline: data, text: data_text };
    events.push({ run, seq, kind, data: yield* placedJson(placed) });
  }
  return events;
}

function* refuseOtherDigest(run: RunId, entry: Recorded): Unit<void> {
  const known = yield* get<{ digest: string }>(
    "SELECT digest FROM calls WHERE run = ? AND key = ?",
    run,
    entry.key,
  );
  if (known?.digest !== entry.digest) {
    throw new WorkflowError(`${entry.key} is recorded already, for another question`, {
      code: "record-differs",
      facts: { run, key: entry.key, recorded: known?.digest ?? null, refused: entry.digest },
    });
  }
}

/** No key of a flow contains a tilde, so a value set aside is never found under its old key again. */
export function* setAside({ run, epoch }: Lease, key: Key): Unit<void> {
  yield* change("UPDATE calls SET key = ? WHERE run = ? AND key = ?", `${key}~${epoch}`, run, key);
}
