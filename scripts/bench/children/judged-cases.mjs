// Judged cases with an assistant that answers at once, journal only: seconds and peak memory.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createMatcher,
  isUsablePattern,
} from "../../../dist/src/adapters/assistant/pattern-matcher.js";
import { EmbeddedEngine } from "../../../dist/src/adapters/engines/embedded/embedded-engine.js";
import { isDead, processOwner } from "../../../dist/src/adapters/engines/process-owner.js";
import { defaultRetryPolicy } from "../../../dist/src/adapters/engines/retry-delay.js";
import { Scheduler } from "../../../dist/src/adapters/engines/scheduler.js";
import { openStore } from "../../../dist/src/adapters/persistence/sqlite/open-store.js";
import { keepMemorySteady } from "../../../dist/src/cli/shell/steady-memory.js";
import { writeRunInput } from "../../../dist/src/contract/scenarios/run-inputs.js";
import { DEFAULT_CHECK_RULES } from "../../../dist/src/domain/scenarios/check-rules.js";
import { packFlow } from "../../../dist/src/orchestration/scenarios/pack-flow.js";
import { createScenarioFlow } from "../../../dist/src/orchestration/scenarios/scenario-flow.js";
import { systemClock } from "../../../dist/src/wiring/project/system-clock.js";

const crash = { reach: () => undefined };
const answer = (question) => ({
  kind: "answered",
  answer: {
    text: `5 pieces were in stock. (${question})`,
    sessionId: "s",
    replyType: "factual",
    debug: { detected_intent: "stock_quantity", extracted_filters: { item: "Oak desk" } },
    entries: [],
    semanticMemory: {},
    raw: { assistant_reply: "5 pieces were in stock." },
  },
});
const assistant = {
  timeoutMs: 1000,
  send: async ({ question }) => answer(question),
  readSession: async () => ({ kind: "unsupported" }),
  recover: () => answer(""),
  asKept: (text) => text,
};

function packOf(cases) {
  const scenarios = 200;
  return {
    pack_id: "bench",
    domain: "shop",
    scenarios: Array.from({ length: scenarios }, (_, at) => ({
      scenario_id: `scenario_${at}`,
      domain: "shop",
      steps: Array.from({ length: cases / scenarios }, (__, step) => ({
        step_id: `step_${step}`,
        question: `How many Oak desk were in stock on day ${step}?`,
        allowed_reply_types: ["factual"],
        required_direct_answer_patterns_any: ["^5 pieces"],
        forbidden_answer_patterns: ["(?i)runtime_"],
        required_filters: { item: "Oak desk" },
      })),
    })),
  };
}

async function play(cases) {
  const folder = mkdtempSync(join(tmpdir(), "signoff-bench-"));
  const store = openStore({ path: join(folder, "signoff.db"), mode: "write", crash });
  const scenario = createScenarioFlow({
    assistantAt: () => assistant,
    rules: DEFAULT_CHECK_RULES,
    matches: createMatcher(),
    isUsable: isUsablePattern,
    clock: systemClock,
    crash,
  });
  let id = 0;
  const engine = new EmbeddedEngine({
    store: store.runs,
    flows: new Map([
      ["scenario", scenario],
      ["pack", packFlow],
    ]),
    runnerFor: async () => {
      throw new Error("no model may be asked");
    },
    scheduler: new Scheduler({
      clock: systemClock,
      chance: () => 0,
      policy: defaultRetryPolicy,
      concurrencyOf: () => 4,
    }),
    projectors: [],
    clock: systemClock,
    owner: processOwner(),
    isDead,
    newRunId: () => {
      id += 1;
      return `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`;
    },
    crash,
    observer: { notice: () => undefined },
    childConcurrency: 8,
  });
  const input = writeRunInput("pack", {
    folder: "out",
    assistantUrl: "http://shop",
    pack: packOf(cases),
    specHash: "0".repeat(64),
    repeat: 1,
    fileHints: {},
    awaitsAnalyst: false,
  });
  const began = performance.now();
  const run = await engine.submit({
    id: "bench",
    kind: "pack",
    input,
    settings: {},
    createdAt: systemClock.now(),
  });
  const ending = await engine.ending(run, new AbortController().signal);
  const seconds = (performance.now() - began) / 1000;
  if (ending.kind !== "finished" || !ending.result.state.acceptance_gate_passed) {
    throw new Error(`the bench pack was not accepted: ${JSON.stringify(ending).slice(0, 500)}`);
  }
  store.close();
  rmSync(folder, { recursive: true, force: true });
  return seconds;
}

// As `pack run` does.
keepMemorySteady();
const cases = Number(process.argv[2]);
const seconds = await play(cases);
const peak = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ seconds, peak }));
