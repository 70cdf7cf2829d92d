import { randomBytes } from "node:crypto";
import type { CrashPoints } from "../../../ports/crash-points.ts";
import type { Journal } from "../../../ports/journal.ts";
import type { RunStore } from "../../../ports/run-store.ts";
import { closeAttempt, startAttempt } from "./attempts.ts";
import { cancelWithChildren } from "./cancelling.ts";
import { createRun } from "./create-run.ts";
import { keepAnswer, keepDecision, loadDecision } from "./decisions.ts";
import {
  acquireLease,
  checkHeld,
  endRun,
  extendLease,
  forgetEnding,
  handBackRun,
  markProjected,
  queueIfAnswered,
  raiseProjected,
  reopenRun,
} from "./leases.ts";
import { findFacts, findRecord, keepEvents, keepRecord, loadEvents, setAside } from "./records.ts";
import { listChildren, loadRun, loadUnfinished } from "./run-rows.ts";
import { together, type Units } from "./unit.ts";

/**
 * Runs and their journal. Replies, endings, questions and answers are on the disk before they resolve. In SQLite leases,
 * starts and events without a reply are not: a power cut that loses them also ends the holder.
 */
export function createRunStore(units: Units, crash?: CrashPoints): RunStore {
  return { ...createJournal(units, crash), ...createRuns(units) };
}

function createJournal(units: Units, crash?: CrashPoints): Journal {
  return {
    find: (run, key) => units.read(() => findRecord(run, key)),
    facts: (run, key) => units.read(() => findFacts(run, key)),
    start: (lease, start, events) =>
      units.write("quick", function* () {
        const payer = yield* checkHeld(lease);
        const [begun] = yield* together(
          startAttempt(payer, start),
          keepEvents(lease, events),
          raiseProjected(lease.run, start.projected),
        );
        return begun;
      }),
    fail: (lease, key, end, error) =>
      units.write("quick", function* () {
        const payer = yield* checkHeld(lease);
        yield* closeAttempt({ key, ...payer }, { end, error });
      }),
    record: (lease, entry, events, call) =>
      units.write("durable", function* () {
        const payer = yield* checkHeld(lease);
        const paid = { key: entry.key, ...payer };
        const role = call?.facts?.role ?? "step";
        yield* together(
          keepRecord(lease.run, { entry, facts: call?.facts }),
          ...(call === undefined ? [] : [closeAttempt(paid, { end: call.end, role })]),
          keepEvents(lease, events),
        );
        crash?.reach("reply-written-not-committed");
      }),
  };
}

function createRuns(units: Units): Omit<RunStore, keyof Journal> {
  return {
    create: (run) => units.write("durable", () => createRun(run)),
    load: (run, job) => units.read(() => loadRun(run, job)),
    findUnfinished: (kind, inputDigest) => units.read(() => loadUnfinished(kind, inputDigest)),
    listChildren: (run) => units.read(() => listChildren(run)),
    acquire: (run, owner, mayTake) => {
      const token = newToken();
      return units.write("quick", () => acquireLease(run, { owner, mayTake, token }));
    },
    heartbeat: (lease, term) => units.write("heartbeat", () => extendLease(lease, term)),
    end: async (lease, ending, events, at) => {
      const ended = await units.write("durable", function* () {
        const [stored] = yield* together(endRun(lease, { ending, at }), keepEvents(lease, events));
        return stored;
      });
      if (!units.isConcurrent || ended?.kind !== "waiting") return ended;
      // An answer that was committed while the ending was being written saw a running run and woke no engine.
      const { decisions } = ended;
      const isQueued = await units.write("durable", () => queueIfAnswered(lease, decisions));
      return isQueued ? undefined : ended;
    },
    handBack: (lease) => units.write("durable", () => handBackRun(lease)),
    appendEvents: (lease, events, projected) =>
      units.write("quick", function* () {
        yield* checkHeld(lease);
        yield* together(keepEvents(lease, events), raiseProjected(lease.run, projected));
      }),
    events: (run, afterSeq, limit) => units.read(() => loadEvents(run, { afterSeq, limit })),
    markProjected: (lease, seq) => units.write("quick", () => markProjected(lease, seq)),
    openDecision: (lease, decision) =>
      units.write("durable", function* () {
        yield* checkHeld(lease);
        return yield* keepDecision(decision);
      }),
    findDecision: (id) => units.read(() => loadDecision(id)),
    answer: (id, answer, ifVersion) =>
      units.write("durable", () => keepAnswer(id, { answer, ifVersion })),
    discard: (lease, keys) =>
      units.write("durable", function* () {
        yield* checkHeld(lease);
        yield* together(...keys.map((key) => setAside(lease, key)), forgetEnding(lease.run));
      }),
    reopen: (run, how) => units.write("durable", () => reopenRun(run, how)),
    requestCancel: (run, reason, at) =>
      units.write("durable", () => cancelWithChildren(run, { reason, at })),
  };
}

/** An epoch alone does not name a holder: a database restored from a backup hands the same ones out again. */
function newToken(): string {
  return randomBytes(9).toString("base64url");
}
