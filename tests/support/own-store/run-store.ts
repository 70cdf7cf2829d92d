import { ConfigurationError, LeaseLost, WorkflowError } from "../../../src/index.ts";
import type { RunRecord, RunStore } from "../../../src/testing/index.ts";
import { type AttemptRow, type Budget, by, copy, type RunRow, type Tables } from "./tables.ts";

type Lease = Parameters<RunStore["heartbeat"]>[0];
type Ending = NonNullable<RunRecord["ending"]>;
type AttemptEnd = Parameters<RunStore["fail"]>[2];

/** Runs the work when no other is under way; what it has changed is taken back if it throws. */
export type Alone = <T>(work: () => T | Promise<T>) => Promise<T>;

export function runStoreIn(tables: Tables, alone: Alone): RunStore {
  return { ...runsIn(tables, alone), ...leasesIn(tables, alone), ...journalIn(tables, alone) };
}

type Members<Name extends keyof RunStore> = Pick<RunStore, Name>;

function runsIn(
  tables: Tables,
  alone: Alone,
): Members<
  | "create"
  | "load"
  | "findUnfinished"
  | "listChildren"
  | "openDecision"
  | "findDecision"
  | "answer"
  | "reopen"
  | "requestCancel"
> {
  const found = (id: string) => tables.decisions.find((one) => one.id === id);
  return {
    create: (wanted) => alone(() => copy(create(tables, wanted))),
    load: (run) => alone(() => copy(rowOf(tables, run)?.record)),
    findUnfinished: (kind, digest) => alone(() => copy(unfinished(tables, kind, digest))),
    listChildren: (run) =>
      alone(() =>
        tables.runs
          .map(({ record }) => record)
          .filter(({ parent }) => parent === run)
          .sort(
            by(
              ({ job }) => job.createdAt,
              (record) => record.run,
            ),
          )
          .map((record) => ({ run: record.run, state: record.state })),
      ),
    openDecision: (lease, decision) =>
      alone(() => {
        held(tables, lease);
        if (found(decision.id) === undefined) {
          tables.decisions.push(copy({ ...decision, version: 1 }));
        }
        return copy(found(decision.id)) as NonNullable<ReturnType<typeof found>>;
      }),
    findDecision: (id) => alone(() => copy(found(id))),
    answer: (id, answer, ifVersion) =>
      alone(() => {
        const asked = found(id);
        if (asked === undefined) throw wrong("decision-unknown", `there is no question ${id}`);
        if (asked.answer !== undefined || asked.version !== ifVersion) return "already-decided";
        const answered = copy({ ...asked, answer, version: asked.version + 1 });
        tables.decisions = tables.decisions.map((one) => (one === asked ? answered : one));
        return "recorded";
      }),
    reopen: (run, how) => alone(() => reopen(tables, known(tables, run), how)),
    requestCancel: (run, reason, at) => alone(() => cancel(tables, run, { reason, at })),
  };
}

function create(tables: Tables, wanted: Parameters<RunStore["create"]>[0]): RunRecord {
  const { run, job, inputDigest, parent, task, unlessUnfinished } = wanted;
  const used = rowOf(tables, run)?.record;
  if (used !== undefined && (used.job.id !== job.id || used.inputDigest !== inputDigest)) {
    throw new ConfigurationError(`${run} is another run.`, { code: "run-exists" });
  }
  const same = tables.runs.find(({ record }) => record.job.id === job.id)?.record;
  const open = unlessUnfinished === true ? unfinished(tables, job.kind, inputDigest) : undefined;
  if (same !== undefined || open !== undefined) return (same ?? open) as RunRecord;
  const above = parent === undefined ? undefined : known(tables, parent).record;
  const record: RunRecord = {
    ...{ run, job, inputDigest, state: "queued", epoch: 0, top: above?.top ?? run },
    ...{ projectedSeq: 0, acceptsChanges: false, settings: job.settings },
    ...{ budget: job.budget ?? {}, updatedAt: job.createdAt },
    ...(parent === undefined ? {} : { parent }),
    ...(task === undefined ? {} : { task }),
    ...(above?.cancelReason === undefined ? {} : { cancelReason: above.cancelReason }),
  };
  tables.runs.push({ record: copy(record), isListed: false });
  return record;
}

function unfinished({ runs }: Tables, kind: string, digest: string): RunRecord | undefined {
  return runs
    .map(({ record }) => record)
    .filter((one) => one.job.kind === kind && one.inputDigest === digest && !isOver(one))
    .sort(
      by(
        ({ job }) => job.createdAt,
        ({ run }) => run,
      ),
    )
    .at(-1);
}

function reopen(tables: Tables, row: RunRow, how: Parameters<RunStore["reopen"]>[1]): void {
  refuseIfOver(row);
  const { state, acceptsChanges, settings, task } = row.record;
  const accepts = how.acceptChanges === true;
  if (state === "running" || state === "queued") {
    change(row, { acceptsChanges: acceptsChanges || accepts });
  } else {
    forget(row, "cancelReason");
    change(row, { state: "queued", acceptsChanges: accepts });
  }
  if (task !== undefined && how.task !== undefined) change(row, { task: how.task });
  if (how.settings !== undefined) {
    change(row, { settings: { ...(settings as object), ...how.settings } });
  }
  if (how.budget !== undefined) {
    const payer = known(tables, row.record.top);
    change(payer, { budget: { ...payer.record.budget, ...how.budget } });
  }
}

type Cancelling = { readonly reason: string; readonly at: RunRecord["updatedAt"] };

function cancel(tables: Tables, run: string, how: Cancelling): void {
  const row = known(tables, run);
  for (const { record } of tables.runs) if (record.parent === run) cancel(tables, record.run, how);
  if (isOver(row.record)) return;
  const reason = row.record.cancelReason ?? how.reason;
  change(row, { cancelReason: reason });
  if (row.record.holder !== undefined && row.record.holder.expires > how.at) return;
  change(row, { epoch: row.record.epoch + 1 });
  endAs(tables, row, { kind: "cancelled", reason }, how.at);
}

function leasesIn(
  tables: Tables,
  alone: Alone,
): Members<"acquire" | "heartbeat" | "end" | "handBack" | "markProjected" | "discard"> {
  let tokens = 0;
  return {
    acquire: (run, owner, mayTake) =>
      alone(() => {
        const row = known(tables, run);
        refuseIfOver(row);
        const { holder, epoch } = row.record;
        if (holder !== undefined && !mayTake(copy(holder), owner.since)) {
          return { kind: "held", holder: copy(holder) };
        }
        tokens += 1;
        row.token = `token ${tokens}`;
        const taken = { epoch: epoch + 1, state: "running", holder: copy(owner) } as const;
        change(row, { ...taken, updatedAt: owner.since });
        loseOpen(tables, run);
        return { kind: "taken", lease: { run, epoch: epoch + 1, token: row.token } };
      }),
    heartbeat: (lease, { expires }) =>
      alone(() => {
        const row = held(tables, lease);
        if (row.record.holder !== undefined) {
          change(row, { holder: { ...row.record.holder, expires } });
        }
        return row.record.cancelReason;
      }),
    end: (lease, wanted, events, at) =>
      alone(() => {
        const row = held(tables, lease);
        const { cancelReason: reason } = row.record;
        const ending: Ending =
          reason === undefined || wanted.kind === "finished"
            ? wanted
            : { kind: "cancelled", reason };
        keepEvents(tables, events);
        endAs(tables, row, ending, at);
        if (ending.kind !== "waiting" || isAwaited(tables, lease.run, ending.decisions)) {
          return copy(ending);
        }
        change(row, { state: "queued" });
        return undefined;
      }),
    handBack: (lease) =>
      alone(() => {
        const row = held(tables, lease);
        loseOpen(tables, lease.run);
        forget(row, "holder");
        change(row, { state: "queued" });
      }),
    markProjected: (lease, seq) =>
      alone(() => {
        const row = known(tables, lease.run);
        if (!isCurrent(row, lease)) throw lost(lease);
        project(row, seq);
      }),
    discard: (lease, keys) =>
      alone(() => {
        const row = held(tables, lease);
        tables.calls = tables.calls.map((call) =>
          call.run === lease.run && keys.includes(call.key)
            ? { ...call, key: `${call.key}~${lease.epoch}` as typeof call.key }
            : call,
        );
        forget(row, "ending");
      }),
  };
}

function endAs(tables: Tables, row: RunRow, ending: Ending, at: RunRecord["updatedAt"]): void {
  loseOpen(tables, row.record.run);
  forget(row, "holder");
  change(row, { state: ending.kind, ending: copy(ending), updatedAt: at });
}

function isAwaited({ runs, decisions }: Tables, run: string, ids: readonly string[]): boolean {
  const open = ["queued", "running", "waiting"];
  return (
    runs.some(({ record }) => record.parent === run && open.includes(record.state)) ||
    decisions.some(({ id, answer }) => ids.includes(id) && answer === undefined)
  );
}

function journalIn(
  tables: Tables,
  alone: Alone,
): Members<"find" | "facts" | "start" | "fail" | "record" | "appendEvents" | "events"> {
  const callAt = (run: string, key: string) =>
    tables.calls.find((call) => call.run === run && call.key === key);
  return {
    find: (run, key) =>
      alone(() => {
        const call = callAt(run, key);
        return call && copy({ key, digest: call.digest, value: call.value });
      }),
    facts: (run, key) => alone(() => copy(callAt(run, key)?.facts)),
    start: (lease, start, events) =>
      alone(() => {
        const row = held(tables, lease);
        keepEvents(tables, events);
        if (start.projected !== undefined) project(row, start.projected);
        return startAttempt(tables, row.record, start);
      }),
    fail: (lease, key, end, error) =>
      alone(() => {
        held(tables, lease);
        const none = { microUsd: 0, tokens: 0, seconds: end.seconds };
        const ended = { state: "failed", error: { ...error }, held: spentIn(end, none) } as const;
        close(tables, { run: lease.run, key }, end, ended);
      }),
    record: (lease, entry, events, call) =>
      alone(() => {
        held(tables, lease);
        const before = callAt(lease.run, entry.key);
        if (before !== undefined && before.digest !== entry.digest) {
          throw wrong("record-differs", `${entry.key} is recorded for another question`);
        }
        const { facts, end } = call ?? {};
        if (before === undefined) tables.calls.push(copy({ ...entry, run: lease.run, facts }));
        if (end !== undefined) {
          const role = facts?.role ?? "step";
          close(tables, { run: lease.run, key: entry.key }, end, { state: "replied", role });
        }
        keepEvents(tables, events);
      }),
    appendEvents: (lease, events, projected) =>
      alone(() => {
        const row = held(tables, lease);
        keepEvents(tables, events);
        if (projected !== undefined) project(row, projected);
      }),
    events: (run, after, limit) =>
      alone(() => {
        const later = tables.events.filter((event) => event.run === run && event.seq > after);
        return copy(later.sort(by(({ seq }) => seq)).slice(0, limit));
      }),
  };
}

function startAttempt(
  tables: Tables,
  { run, top }: RunRecord,
  start: Parameters<RunStore["start"]>[1],
): Awaited<ReturnType<RunStore["start"]>> {
  const asked = { microUsd: 0, tokens: 0, seconds: 0, ...start.reserve };
  const { budget } = known(tables, top).record;
  const ours = tables.attempts.filter(({ run: one }) => known(tables, one).record.top === top);
  for (const name of ["microUsd", "tokens", "seconds"] as const) {
    const sum = (isOpen: boolean) =>
      ours
        .filter(({ state }) => (state === "started") === isOpen)
        .reduce((total, { held: amounts }) => total + amounts[name], 0);
    const facts = { spent: sum(false), reserved: sum(true), asked: asked[name] };
    const limit = budget[name];
    if (limit === undefined || facts.spent + facts.reserved + facts.asked <= limit) continue;
    const bound = name === "microUsd" ? "micro_usd" : name;
    return { kind: "over-budget", facts: { bound, limit, ...facts } };
  }
  const before = tables.attempts.filter((one) => one.run === run && one.key === start.key);
  const attempt = before.length + 1;
  const { key, model, at: startedAt } = start;
  tables.attempts.push({ run, key, attempt, model, state: "started", startedAt, held: asked });
  return { kind: "reserved", attempt };
}

/** A line that is closed already stays as it is. */
function close(
  tables: Tables,
  { run, key }: { readonly run: string; readonly key: string },
  end: AttemptEnd,
  ended: Partial<AttemptRow>,
): void {
  const { attempts } = tables;
  const at = attempts.findIndex(
    (one) => one.run === run && one.key === key && one.attempt === end.attempt,
  );
  const line = attempts[at];
  if (line === undefined) throw wrong("attempt-unknown", `${key} has no attempt ${end.attempt}`);
  if (line.state !== "started") return;
  const { usage, seconds, microUsd = usage?.microUsd } = end;
  const counted = {
    ...{ inputTokens: usage?.input, outputTokens: usage?.output },
    ...{ cachedInputTokens: usage?.cachedInput, microUsd, seconds },
  };
  const closed = { ...line, ...counted, held: spentIn(end, line.held), ...ended };
  attempts[at] = copy(closed) as AttemptRow;
}

function spentIn(
  { usage, seconds, microUsd = usage?.microUsd }: AttemptEnd,
  unknown: Required<Budget>,
): Required<Budget> {
  const tokens = usage === undefined ? unknown.tokens : usage.input + usage.output;
  return { microUsd: microUsd ?? unknown.microUsd, tokens, seconds };
}

function loseOpen(tables: Tables, run: string): void {
  tables.attempts = tables.attempts.map((one) =>
    one.run === run && one.state === "started" ? { ...one, state: "lost" } : one,
  );
}

function keepEvents({ events }: Tables, added: Parameters<RunStore["appendEvents"]>[1]): void {
  for (const event of added) {
    const isKnown = events.some(({ run, seq }) => run === event.run && seq === event.seq);
    if (!isKnown) events.push(copy(event));
  }
}

function project(row: RunRow, seq: number): void {
  if (seq > row.record.projectedSeq) row.record = { ...row.record, projectedSeq: seq };
}

function change(row: RunRow, changed: Partial<RunRecord>): void {
  row.record = { ...row.record, ...changed };
  row.isListed = false;
}

function forget(row: RunRow, name: "holder" | "ending" | "cancelReason"): void {
  const { [name]: _, ...rest } = row.record;
  row.record = rest;
}

function rowOf({ runs }: Tables, run: string): RunRow | undefined {
  return runs.find(({ record }) => record.run === run);
}

function known(tables: Tables, run: string): RunRow {
  const row = rowOf(tables, run);
  if (row === undefined) throw wrong("run-unknown", `there is no run ${run}`);
  return row;
}

function held(tables: Tables, lease: Lease): RunRow {
  const row = rowOf(tables, lease.run);
  if (row?.record.holder === undefined || !isCurrent(row, lease)) throw lost(lease);
  return row;
}

function isCurrent({ record, token }: RunRow, lease: Lease): boolean {
  return record.epoch === lease.epoch && token === lease.token;
}

function isOver({ state }: RunRecord): boolean {
  return state === "finished" || state === "cancelled";
}

function refuseIfOver({ record }: RunRow): void {
  if (isOver(record)) throw wrong("run-over", `run ${record.run} is ${record.state}`);
}

function lost({ run }: Lease): LeaseLost {
  return new LeaseLost(`run ${run} is held by another`, { code: "lease-lost" });
}

function wrong(code: string, message: string): WorkflowError {
  return new WorkflowError(message, { code });
}
