import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type DemoAssistant,
  startDemoAssistant,
} from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { type KillStates, keepKillStates, pointsIn } from "../support/kill-states.ts";
import { openRecordedShop, type RecordedShop } from "../support/recorded-shop.ts";
import {
  filesBelow,
  openShopFolder,
  signoff,
  timeless,
  wrongHashes,
} from "../support/scenario-cli.ts";
import { sparePort } from "../support/spare-port.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Two scenarios of the example: enough to be killed between. */
const pack = `pack_id: shop_pack
domain: shop
bindings: { spring: "2024-03-31", summer: "2024-06-30" }
scenarios: [stock-to-supplier.yaml, selected-object.yaml]
`;

/** Without a session yet, these cannot be looked for in it after a crash. */
const openings = ["What is in stock", "How many Office chair"];

interface Place {
  readonly path: string;
  readonly shop: DemoAssistant;
}

async function open(at: { readonly port?: number } = {}): Promise<Place> {
  const folder = openShopFolder();
  writeFileSync(join(folder.path, "pack", "pack.yaml"), pack);
  const shop = await startDemoAssistant(at);
  cleanups.push(folder.close, () => shop.close());
  return { path: folder.path, shop };
}

interface Played {
  readonly path: string;
  readonly shop: { readonly url: string };
}

function playing({ shop }: Played, command: string): readonly string[] {
  const args = ["pack", command, "--manifest", "pack/pack.yaml", "--assistant-url", shop.url];
  return [...args, "--output-dir", "out", "--run-id", runId, "--skip-question-review", "-q"];
}

const play = (place: Played, command: string, env = {}) =>
  signoff(place.path, playing(place, command), env);

const runId = "11111111-1111-4111-8111-111111111111";

/** How often each question was asked. */
function counted(questions: readonly string[]): { [question: string]: number } {
  const counts: { [question: string]: number } = {};
  for (const question of questions) counts[question] = (counts[question] ?? 0) + 1;
  return counts;
}

const points = {
  run: [
    "run-created",
    "lease-taken",
    "answer-received",
    "reply-recorded",
    "events-stored",
    "files-prepared",
    "file-renamed",
    "files-written",
    "events-projected",
    "step-judged",
    "scenario-judged",
    "pack-judged",
    "run-ending",
    "run-ended",
  ],
  loop: [
    "answer-received",
    "reply-received",
    "reply-recorded",
    "pack-judged",
    "iteration-judged",
    "run-ending",
  ],
} as const;

describe.each(["run", "loop"] as const)("pack %s", (command) => {
  let shop: RecordedShop;
  let place: { readonly path: string; readonly shop: RecordedShop };
  let states: KillStates;
  let files: { readonly [name: string]: string };
  let asked: { readonly [question: string]: number };
  let reached: ReadonlyMap<string, number>;
  const timesOf = (point: string) => {
    const count = reached.get(point) ?? 0;
    // After the last `run-ended` the run is over: the same command is a new one.
    const last = point === "run-ended" ? count - 1 : count;
    const middle = Math.ceil(last / 2);
    // A loop meets them as a run does: there once is enough, with answers recorded before and missing after.
    return [...new Set(command === "loop" ? [middle] : [1, middle, last])];
  };

  beforeAll(async () => {
    const folder = openShopFolder();
    writeFileSync(join(folder.path, "pack", "pack.yaml"), pack);
    shop = await openRecordedShop(folder.path);
    place = { path: folder.path, shop };
    const fresh = mkdtempSync(join(tmpdir(), "signoff-fresh-"));
    cpSync(folder.path, fresh, { recursive: true });
    const log = join(place.path, "points.log");
    const ended = await play(place, command, { SIGNOFF_CRASH_LOG: log });
    expect(ended.code, ended.err).toBe(0);
    files = timeless(filesBelow(join(place.path, "out")));
    asked = counted(shop.questions);
    reached = pointsIn(log);
    rmSync(place.path, { recursive: true });
    renameSync(fresh, place.path);
    await shop.restore();
    const moments = points[command].flatMap((point) =>
      timesOf(point).map((time) => `${point}:${time}`),
    );
    const env = { HOME: place.path };
    states = await keepKillStates(playing(place, command), { cwd: place.path, env }, moments);
    return async () => {
      states.remove();
      folder.close();
      await shop.close();
    };
  });

  it.each(points[command])(
    "killed at %s goes on to the same files and asks nothing recorded again",
    async (point) => {
      for (const time of timesOf(point)) {
        states.restore(`${point}:${time}`);
        await shop.restore();
        const again = await play(place, command);
        expect(again.code, again.err).toBe(0);
        const written = filesBelow(join(place.path, "out"));
        expect(timeless(written)).toEqual(files);
        expect(wrongHashes(written)).toEqual([]);
        for (const [question, times] of Object.entries(counted(shop.questions))) {
          const mayRepeat = openings.some((opening) => question.startsWith(opening));
          expect(times, question).toBeLessThanOrEqual((asked[question] ?? 0) + (mayRepeat ? 1 : 0));
        }
      }
    },
  );
});

it("a question that two steps ask is asked twice, also when the process dies between them", async () => {
  const { path, shop } = await open();
  const question = "How many Oak desk were in stock on 2024-03-31?";
  const steps = `[{ step_id: one, question: "${question}" }, { step_id: two, question: "${question}" }]`;
  writeFileSync(join(path, "twice.yaml"), `scenario_id: twice\ndomain: stock\nsteps: ${steps}\n`);
  const args = ["scenario", "run", "--manifest", "twice.yaml", "--assistant-url", shop.url];
  const killed = await signoff(path, args, { SIGNOFF_STOP_AT: "step-judged:1" });
  expect(killed.code, killed.err).toBe(null);
  expect((await signoff(path, args)).code).toBe(0);
  expect(shop.questions).toEqual([question, question]);
});

it("after a finished run everything is asked again, and the earlier run is kept whole", async () => {
  const { path, shop } = await open();
  const args = [
    "pack",
    "run",
    "--manifest",
    "pack/pack.yaml",
    "--assistant-url",
    shop.url,
    "--skip-question-review",
  ];
  const folder = join(path, "artifacts", "domain_runs", "shop_pack");
  expect((await signoff(path, args)).code).toBe(0);
  expect(shop.questions).toHaveLength(10);
  const before = filesBelow(folder);
  expect((await signoff(path, args)).code).toBe(0);
  expect(shop.questions).toHaveLength(20);
  const { run_id: id } = JSON.parse(before.get("run_manifest.json") ?? "") as { run_id: string };
  expect(filesBelow(join(`${folder}.runs`, id))).toEqual(before);
});

describe("a scenario whose session is gone after a crash starts again, and both attempts are kept:", () => {
  const killAtThird = { SIGNOFF_STOP_AT: "answer-received:3" };
  const scenario = (shop: DemoAssistant) => [
    ...[
      "scenario",
      "run",
      "--manifest",
      "pack/sales-and-revenue.yaml",
      "--output-dir",
      "out",
      "-q",
    ],
    ...["--assistant-url", shop.url],
  ];
  const attempts = (path: string) =>
    [...filesBelow(join(path, "out")).keys()].filter((name) => name.endsWith("turn.json"));

  it("the assistant was restarted", async () => {
    const port = await sparePort();
    const { path, shop } = await open({ port });
    expect((await signoff(path, scenario(shop), killAtThird)).code).toBe(null);
    await shop.close();
    const next = await startDemoAssistant({ port });
    cleanups.pop();
    cleanups.push(() => next.close());
    expect((await signoff(path, scenario(next))).code).toBe(0);
    expect(next.questions).toHaveLength(5);
    expect(attempts(path).filter((name) => name.startsWith("attempts/1/"))).toHaveLength(2);
    expect(attempts(path).filter((name) => name.startsWith("steps/"))).toHaveLength(5);
  });

  it("the assistant cannot be asked for a session", async () => {
    const { path, shop } = await open();
    writeFileSync(
      join(path, "signoff.yaml"),
      "version: 1\nscenarios: { assistant: { session: { available: false } } }\n",
    );
    expect((await signoff(path, scenario(shop), killAtThird)).code).toBe(null);
    expect((await signoff(path, scenario(shop))).code).toBe(0);
    expect(shop.questions).toHaveLength(3 + 5);
    expect(attempts(path).filter((name) => name.startsWith("attempts/1/"))).toHaveLength(2);
  });
});
