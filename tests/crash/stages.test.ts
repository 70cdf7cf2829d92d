import { spawnSync } from "node:child_process";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { keepKillStates } from "../support/kill-states.ts";
import { openRecordedShop } from "../support/recorded-shop.ts";
import { filesBelow, signoff } from "../support/scenario-cli.ts";
import { startSignoff } from "../support/signoff-process.ts";
import { isGone } from "../support/small-programs.ts";
import {
  claims,
  defectFile,
  fixes,
  holdConversation,
  openStageStory,
  preparedStage,
  questionsAsked,
  type StageJson,
  type StageStory,
  setUpStage,
  smallPack,
  stageFolder,
  stageStory,
} from "../support/stage-story.ts";

const story = () => openStageStory({ pack: smallPack });

const run = ["run", "--skip-question-review", "-q"];
/** The first loop is over, and not accepted. */
const played = preparedStage({ pack: smallPack }, run);
/** A repair of it is prepared, too. */
const prepared = preparedStage({ pack: smallPack }, run, ["prepare-repair"]);

async function kill(shop: StageStory, point: string, ...args: readonly string[]): Promise<void> {
  const killed = await shop.stageWith({ SIGNOFF_STOP_AT: point }, ...args);
  expect(killed.code, `${point}: ${killed.err}${killed.out}`).toBe(null);
}

/** Runs the command once and gives the folder in each state that a kill at one of the points leaves. */
async function* killedAt<Point extends string>(
  shop: StageStory,
  points: readonly Point[],
  ...args: readonly string[]
): AsyncGenerator<Point> {
  const at = { cwd: shop.path, env: { HOME: shop.path } };
  const states = await keepKillStates(shop.words(...args), at, points);
  onTestFinished(states.remove);
  for (const point of points) {
    states.restore(point);
    yield point;
  }
}

/** The summary on the disk can be read, and says what `status` works out from everything there is. */
async function truthful(shop: StageStory): Promise<StageJson> {
  const before = filesBelow(join(shop.path, stageFolder));
  const status = await shop.json("status");
  expect(status.code).toBe(0);
  const text = before.get("stage_loop_summary.json");
  if (text !== undefined) {
    const { stage_closing_gate: gate } = JSON.parse(text) as StageJson;
    const open = ["ready_for_manual_confirmation", "closed"];
    if (open.includes(gate.status)) expect(open).toContain(status.stage_closing_gate.status);
  }
  expect(filesBelow(join(shop.path, stageFolder))).toEqual(before);
  return status;
}

const repairArgs = ["run-repair"];
const autoArgs = [...run, "--repair-mode", "auto-coder", "--max-iterations", "2"];
const slow = ["--coder", process.execPath, "slow.cjs"];

/** A coder at work whose command was killed; gives its process. */
async function orphan(shop: StageStory, command: readonly string[] = repairArgs): Promise<number> {
  shop.write(
    "slow.cjs",
    'const fs = require("node:fs"); fs.readFileSync(0); fs.writeFileSync("slow.pid", String(process.pid)); setInterval(() => {}, 1000);',
  );
  const url = command[0] === "run" ? ["--assistant-url", shop.shop.url] : [];
  const args = ["stage", ...command, ...url, "--manifest", "examples/stage/stage.yaml", ...slow];
  const { child, ended } = startSignoff(args, { cwd: shop.path });
  const pid = await vi.waitFor(() => Number(shop.read("slow.pid")) || expect.fail("not yet"), {
    timeout: 60_000,
  });
  onTestFinished(async () => {
    if (!isGone(pid)) process.kill(-pid, "SIGKILL");
  });
  child.kill("SIGKILL");
  await ended;
  return pid;
}

const kinds = ({ history }: StageJson) => history.map(({ event }) => event.kind);

describe("stage run, killed", () => {
  const points = [
    "run-created:1",
    "answer-received:1",
    "answer-received:7",
    "scenario-judged:2",
    "pack-judged:1",
    "iteration-judged:1",
    "run-ending:1",
    "stage-loop-over:1",
    "stage-recorded:1",
    "stage-recorded:2",
    "files-prepared:1",
    "file-renamed:3",
  ];
  it(`at each of ${points.length} points, is recorded once by the same command, and nothing is asked twice`, async () => {
    const path = mkdtempSync(join(tmpdir(), "signoff-stage-"));
    setUpStage(path, { pack: smallPack });
    const assistant = await openRecordedShop(path, { defectFile: join(path, defectFile) });
    onTestFinished(async () => {
      await assistant.close();
      rmSync(path, { recursive: true, force: true });
    });
    const shop = stageStory(path, assistant);
    for await (const point of killedAt(shop, points, ...run)) {
      await assistant.restore();
      await truthful(shop);
      const asked = shop.shop.questions.length;
      const again = await shop.json(...run);
      // A run that was recorded whole is over: the same command is its next iteration.
      const wasOver = point === "stage-recorded:2";
      expect(again.code, point).toBe(3);
      expect(kinds(again), point).toEqual(
        wasOver ? ["loop-finished", "loop-finished"] : ["loop-finished"],
      );
      const mayRepeat = 2;
      const missing = wasOver ? 10 : Math.max(0, 10 - asked);
      expect(shop.shop.questions.length - asked, point).toBeLessThanOrEqual(missing + mayRepeat);
    }
  });

  it("in the middle, is not continued after a repair: its answers are of the old assistant", async () => {
    const shop = played();
    await kill(shop, "answer-received:4", ...run);
    await shop.json("prepare-repair");
    await shop.json("run-repair", ...fixes);
    const asked = shop.shop.questions.length;
    const proven = await shop.json(...run);
    expect(proven).toMatchObject({
      code: 0,
      accepted_gate: true,
      latest_repair_validation: { run_id: "loop-02/iterations/01", status: "accepted" },
    });
    expect(shop.shop.questions.length - asked).toBe(10);
  });
});

describe("stage run-repair, killed", () => {
  it("at its start, after the coder or at its end, is reported as interrupted and never as patched", async () => {
    const shop = prepared();
    const points = ["coder-starting:1", "coder-over:1", "stage-recorded:1"] as const;
    for await (const point of killedAt(shop, points, "run-repair", ...fixes)) {
      const isBroken = shop.read(defectFile).includes("\ngarbage");
      expect(isBroken, point).toBe(point !== "coder-over:1");
      const status = await truthful(shop);
      expect(status, point).toMatchObject({
        next_action: "inspect_repair_result",
        latest_repair_execution: { coder_status: "interrupted", dry_run: false },
      });
      expect(
        JSON.parse(
          shop.read(`${stageFolder}/repair_iterations/repair-01/repair_execution_summary.json`),
        ),
      ).toMatchObject({ coder_status: "interrupted" });
      const summary = shop.read(`${stageFolder}/stage_loop_summary.json`);
      expect(summary).not.toContain('"patched"');
      expect((await shop.stage("continue", "--execute-repair", ...fixes)).code).toBe(1);
      expect((await shop.json("prepare-repair")).said[0]).toContain("repair-02");
    }
  });

  it("while its end is recorded, is interrupted too; after that, it has been patched", async () => {
    const shop = prepared();
    const points = ["files-prepared:3", "stage-recorded:2"] as const;
    for await (const point of killedAt(shop, points, "run-repair", ...claims)) {
      const status = await truthful(shop);
      if (point === "files-prepared:3")
        expect(status.latest_repair_execution?.coder_status).toBe("interrupted");
      else expect(status.stage_closing_gate.status).toBe("blocked_pending_repair_validation");
    }
  });

  it("by Ctrl-C, ends the coder with it and is recorded as interrupted", async () => {
    const shop = prepared();
    shop.write(
      "slow.cjs",
      'require("node:fs").writeFileSync("slow.pid", String(process.pid)); setInterval(() => {}, 1000);',
    );
    const args = ["stage", "run-repair", "--manifest", "examples/stage/stage.yaml"];
    const slow = ["--coder", process.execPath, "slow.cjs"];
    const { child, ended } = startSignoff([...args, ...slow], { cwd: shop.path });
    const pid = await vi.waitFor(() => Number(shop.read("slow.pid")) || expect.fail("not yet"), {
      timeout: 60_000,
    });
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(isGone(pid)).toBe(true);
    expect((await truthful(shop)).latest_repair_execution?.coder_status).toBe("interrupted");
  });

  it.each([["prepare-repair"], ["run", "--skip-question-review", "-q"], ["continue"]])(
    "while the coder works: `%s` ends the coder that was left alone, and says so",
    async (...next) => {
      const shop = prepared();
      const pid = await orphan(shop);
      // The store of a killed process has a log, which whoever reads the store next may write back.
      const files = () =>
        [...filesBelow(shop.path)].filter(([name]) => !name.startsWith(".signoff/signoff.db"));
      const before = files();
      const status = await shop.stage("status");
      expect(status.out).toContain(`is still running (process ${pid})`);
      expect(status.out).toContain("repair-01: interrupted");
      expect(files()).toEqual(before);
      expect(isGone(pid)).toBe(false);
      const ended = await shop.stage(...next);
      expect(ended.err).toContain(`outlived its command (process ${pid})`);
      expect(isGone(pid)).toBe(true);
      expect((await truthful(shop)).latest_repair_execution?.coder_status).toBe("interrupted");
    },
  );

  it("while the coder of a loop works: the loop ends with an interrupted coder", async () => {
    const shop = await story();
    const pid = await orphan(shop, autoArgs);
    const after = await shop.json(...autoArgs, ...slow);
    expect(isGone(pid)).toBe(true);
    const repairs = after.history.flatMap(({ event }) =>
      event.kind === "repair-executed" ? [event] : [],
    );
    expect(repairs).toMatchObject([{ coder_status: "interrupted" }]);
    expect(after.next_action).toBe("inspect_repair_result");
  });
});

it("stage ingest-run, killed at any point, counts once", async () => {
  const shop = played();
  await holdConversation(shop, "gui-1", questionsAsked(shop));
  const ingest = ["ingest-run", "--run-id", "gui-1"];
  const points = [
    "files-prepared:1",
    "file-renamed:2",
    "run-review-filed:1",
    "file-renamed:6",
    "stage-recorded:1",
  ] as const;
  for await (const point of killedAt(shop, points, ...ingest)) {
    const before = await truthful(shop);
    const isIn = kinds(before).includes("run-ingested");
    expect(isIn, point).toBe(point === "stage-recorded:1");
    const again = await shop.stage(...ingest);
    expect(again.code, point).toBe(isIn ? 2 : 1);
    expect(kinds(await shop.json("status")), point).toEqual(["loop-finished", "run-ingested"]);
  }
});

describe("two people at once", () => {
  /** Holds a command at a point until `release`. */
  function hold(shop: StageStory, point: string, ...args: readonly string[]) {
    const pipe = join(shop.path, "held.pipe");
    spawnSync("mkfifo", [pipe]);
    const ended = shop.stageWith({ SIGNOFF_PAUSE_AT: point, SIGNOFF_PAUSE_PIPE: pipe }, ...args);
    // Opening the other end waits until the command is there.
    const writer = createWriteStream(pipe);
    const isHeld = new Promise<void>((resolve) => writer.once("open", () => resolve()));
    return { ended, isHeld, release: () => writer.end() };
  }

  it("continue: one step is taken, the other person reads why not", async () => {
    const shop = played();
    const first = hold(shop, "stage-read", "continue");
    await first.isHeld;
    expect(await shop.json("continue")).toMatchObject({ code: 0, step: "prepare-and-dry-run" });
    first.release();
    const second = await first.ended;
    expect(second.code).toBe(5);
    expect(second.err).toContain("Another command changed this stage");
    expect(kinds(await shop.json("status"))).toEqual([
      "loop-finished",
      "repair-prepared",
      "repair-executed",
    ]);
  });

  it("while a coder works, all other commands that repair, replay or close are refused, and status says so", async () => {
    const shop = prepared();
    const coding = hold(shop, "coder-starting", "run-repair", ...fixes);
    await coding.isHeld;
    for (const args of [
      ["continue"],
      ["prepare-repair"],
      run,
      ["close", "--confirmed-by", "Ada"],
    ]) {
      const refused = await shop.stage(...args);
      expect(refused.code, args.join(" ")).toBe(5);
      expect(refused.err).toContain("A coder is working on this stage");
    }
    expect((await shop.stage("status")).out).toContain("running since");
    coding.release();
    expect((await coding.ended).code).toBe(3);
    expect((await shop.json(...run)).accepted_gate).toBe(true);
  });

  it("while a loop is played no coder starts", async () => {
    const shop = prepared();
    const playing = hold(shop, "step-judged:3", ...run);
    await playing.isHeld;
    const refused = await shop.stage("run-repair", ...fixes);
    expect(refused.code).toBe(5);
    expect(refused.err).toContain("is running; a repair now");
    playing.release();
    expect((await playing.ended).code).toBe(3);
  });

  it("all commands at the same moment leave one history that can be read", async () => {
    const shop = played();
    const all = await Promise.all(
      Array.from({ length: 4 }, () =>
        signoff(shop.path, ["stage", "prepare-repair", "--manifest", "examples/stage/stage.yaml"]),
      ),
    );
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const status = await shop.json("status");
    expect(kinds(status).filter((kind) => kind === "repair-prepared")).toHaveLength(4);
    const numbers = status.history.map((entry) => (entry as unknown as { number: number }).number);
    expect(numbers).toEqual([1, 2, 3, 4, 5]);
  });
});
