import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { EmbeddedEngine } from "../../dist/src/adapters/engines/embedded/embedded-engine.js";
import { isDead, processOwner } from "../../dist/src/adapters/engines/process-owner.js";
import { defaultRetryPolicy } from "../../dist/src/adapters/engines/retry-delay.js";
import { Scheduler } from "../../dist/src/adapters/engines/scheduler.js";
import { openStore } from "../../dist/src/adapters/persistence/sqlite/open-store.js";
import { key } from "../../dist/src/domain/values/ids.js";
import { startDraft } from "../../dist/src/orchestration/drafting/start-draft.js";
import { draftingFeature } from "../../dist/src/wiring/features/drafting.js";
import { frozenDraft } from "../../dist/src/wiring/features/prepare-draft.js";
import { systemClock } from "../../dist/src/wiring/project/system-clock.js";
import { recipe, replyTo } from "./texts.mjs";

const crash = { reach: () => undefined };

/**
 * The engine, the store and the drafting flow as a project has them, with a model that answers at once. `onCall`
 * hears of each call before it is answered.
 */
export function openLoops(folder, { withFiles = false, onCall = () => undefined } = {}) {
  const path = join(folder, ".signoff", "signoff.db");
  const store = openStore({ path, mode: "write", crash });
  const { flows, projectors } = draftingFeature({ root: folder, store, clock: systemClock, crash });
  let script = [];
  const engine = new EmbeddedEngine({
    store: store.runs,
    flows: new Map([...flows, ["two-calls", twoCallsFlow]]),
    runnerFor: async (model) => resolved(model, { onCall, spoken: (ordinal) => script[ordinal] }),
    scheduler: new Scheduler({
      clock: systemClock,
      chance: Math.random,
      policy: defaultRetryPolicy,
      concurrencyOf: () => 20,
    }),
    projectors: withFiles ? projectors.map((one) => ({ ...one, jobs: undefined })) : [],
    clock: systemClock,
    owner: processOwner(),
    isDead,
    newRunId: randomUUID,
    crash,
    observer: { notice: () => undefined },
    childConcurrency: 4,
  });
  return {
    path,
    store,
    /** The engine's own part: the same replies, asked for and recorded by a flow that does nothing with them. */
    async runTwoCalls(replies) {
      script = replies;
      const input = { calls: replies.length };
      const createdAt = systemClock.now();
      const id = randomUUID();
      const run = await engine.submit({ id, kind: "two-calls", input, settings: {}, createdAt });
      return finished(engine, run);
    },
    /** One loop from the start to the decision; returns its run. */
    async runLoop(turns, model = `offline/${turns}`) {
      const { run } = await startDraft(
        { engine, clock: systemClock },
        { input: inputOf(turns, model), newId: randomUUID, fresh: true },
      );
      return finished(engine, run);
    },
    close: () => store.close(),
  };
}

async function finished(engine, run) {
  const ending = await engine.ending(run, new AbortController().signal);
  if (ending.kind !== "finished") throw new Error(`the run ended: ${JSON.stringify(ending)}`);
  return run;
}

async function twoCallsFlow(ctx, { calls }) {
  for (let at = 0; at < calls; at += 1) {
    await ctx.ask(key("call", at), {
      role: at % 2 === 0 ? "creator" : "reviewer",
      model: "offline/echo",
      system: "Say it again.",
      user: `This is question ${at}.`,
      expects: "text",
      settings: {},
      formatVersion: "bench/1",
      task: {},
      ordinal: at,
    });
  }
  return null;
}

/** Commands allow ten turns at most; the engine does not mind more. */
function inputOf(turns, model) {
  const brief = "A page about steel water bottles for commuters.";
  const input = frozenDraft({ brief, recipe, writer: model, reviewers: [{ model }] });
  return { ...input, maxTurns: turns };
}

/** Knows its replies by the number of the question, as a script does: they are no part of the job. */
function resolved(model, { onCall, spoken }) {
  const turns = Number(model.split("/").at(-1));
  return {
    provider: "bench",
    price: () => 0,
    runner: {
      async attempt(request) {
        onCall(request);
        const at = systemClock.now();
        const text = model === "offline/echo" ? spoken(request.ordinal) : replyTo(request, turns);
        const usage = { input: 1_000, output: 1_000 };
        const reply = { text, model, finish: "complete", usage, startedAt: at, finishedAt: at };
        return { kind: "replied", reply };
      },
    },
  };
}
