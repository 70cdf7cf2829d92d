import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EmbeddedEngine } from "../../src/adapters/engines/embedded/embedded-engine.ts";
import { isDead, processOwner } from "../../src/adapters/engines/process-owner.ts";
import { defaultRetryPolicy } from "../../src/adapters/engines/retry-delay.ts";
import { Scheduler } from "../../src/adapters/engines/scheduler.ts";
import { createProcessLock } from "../../src/adapters/persistence/sqlite/checkout-lock.ts";
import { openStore } from "../../src/adapters/persistence/sqlite/open-store.ts";
import { runId } from "../../src/domain/values/ids.ts";
import { instant } from "../../src/domain/values/instant.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Runner } from "../../src/ports/runner.ts";
import { draftingFeature } from "../../src/wiring/features/drafting.ts";
import { createCrashPoints } from "../../src/wiring/project/crash-points.ts";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";

/**
 * A process that drafts without any delay, so that files are batched as much as possible. Arguments: folder, run. The
 * job is in `job.json`; the reviewer approves in the last turn.
 */
const [root = "", run = ""] = process.argv.slice(2);
const input = JSON.parse(readFileSync(join(root, "job.json"), "utf8"));
const at = instant("2026-03-02T08:00:00.000Z");
const clock: Clock = {
  now: () => at,
  monotonic: () => 0,
  sleep: (_millis, signal) =>
    new Promise((_resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
};
const environment = readEnvironment();
const crash = createCrashPoints(environment);
const store = openStore({ path: join(root, ".signoff", "signoff.db"), mode: "write", crash });
const parts = { root, store, exclusively: createProcessLock(), clock, crash, environment };
const { flows, projectors } = draftingFeature(parts);

const runner: Runner = {
  attempt: async ({ role, ordinal, model }) => {
    const isLast = ordinal + 1 === input.max_turns;
    const review = isLast ? "SHIP IT!" : "Good rhythm but vague.";
    const text = role === "reviewer" ? review : `Refill number ${ordinal + 1}, not the sea`;
    const reply = { text, model, finish: "complete", startedAt: at, finishedAt: at } as const;
    return { kind: "replied", reply };
  },
};

const engine = new EmbeddedEngine({
  store: store.runs,
  flows: new Map(flows.map(([kind, flow]) => [kind, flow])),
  runnerFor: async () => ({ runner, provider: "shop", price: () => 0 }),
  scheduler: new Scheduler({
    clock,
    chance: () => 0,
    policy: defaultRetryPolicy,
    concurrencyOf: () => 1,
  }),
  projectors,
  clock,
  owner: processOwner(),
  isDead,
  newRunId: () => runId(run),
  crash,
  observer: { notice: () => undefined },
  childConcurrency: 1,
});
await engine.submit({ id: "slogan", kind: "draft", input, settings: {}, createdAt: at });
const { kind } = await engine.ending(runId(run), new AbortController().signal);
process.stdout.write(kind);
store.close();
