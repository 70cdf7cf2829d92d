import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { keepKillStates } from "../support/kill-states.ts";
import { openTalk } from "../support/open-talk.ts";
import { filesBelow, timeless, wrongHashes } from "../support/scenario-cli.ts";

const runId = "22222222-2222-4222-8222-222222222222";
/** What is left to ask the assistant and the user's model after a kill at each moment. */
const left = {
  "reply-received": [
    [2, 3],
    [1, 2],
    [0, 1],
  ],
  "answer-received": [
    [2, 2],
    [1, 1],
  ],
  "step-judged": [
    [1, 2],
    [0, 1],
    [0, 0],
  ],
};
const moments = Object.entries(left).flatMap(([point, calls]) =>
  calls.map((expected, at) => ({ moment: `${point}:${at + 1}`, expected })),
);

const judge = ["--analyst", "offline/rules", "--target-score", "70"];
const stage = `stage_id: talk
module_name: Talk
pack_manifest: pack.yaml
analyst: offline/rules
target_score: 70
`;

it("a dialogue that is killed anywhere goes on to the same one, and repeats only what was in flight", async () => {
  const talk = await openTalk();
  const out = join(talk.path, "out");
  const args = talk.pack("run", "--output-dir", "out", "--run-id", runId, "-q");
  const whole = await talk.signoff(...args);
  expect(whole.code, whole.err).toBe(0);
  const files = timeless(filesBelow(out));
  for (const name of ["out", ".signoff"]) rmSync(join(talk.path, name), { recursive: true });
  const states = await keepKillStates(
    args,
    { cwd: talk.path, env: talk.env },
    moments.map(({ moment }) => moment),
  );
  onTestFinished(states.remove);
  for (const { moment, expected } of moments) {
    states.restore(moment);
    talk.asked.length = 0;
    talk.turns.length = 0;
    const again = await talk.signoff(...args);
    expect(again.code, again.err).toBe(0);
    const written = filesBelow(out);
    expect(timeless(written), moment).toEqual(files);
    expect(wrongHashes(written)).toEqual([]);
    expect([talk.asked.length, talk.turns.length], moment).toEqual(expected);
  }
});

it.each([
  ["loop", ["pack", "loop", "--manifest", "pack.yaml", ...judge], "talk"],
  ["stage", ["stage", "run", "--manifest", "stage.yaml"], "stage_agent_loops/talk"],
])("a dialogue of a %s that is killed anywhere goes on as well", async (_title, command, place) => {
  const talk = await openTalk();
  talk.write("stage.yaml", stage);
  const args = [...command, "--user-model", "ollama/shop", "-q"];
  const states = await keepKillStates(
    args,
    { cwd: talk.path, env: talk.env },
    moments.map(({ moment }) => moment),
  );
  onTestFinished(states.remove);
  for (const { moment, expected } of moments) {
    states.restore(moment);
    talk.asked.length = 0;
    talk.turns.length = 0;
    const again = await talk.signoff(...args);
    expect(again.code, `${moment}: ${again.err}`).toBe(0);
    expect([talk.asked.length, talk.turns.length], moment).toEqual(expected);
    expect((await talk.verify()).out, moment).toContain("proven");
    const written = filesBelow(join(talk.path, "artifacts/domain_runs", place));
    expect(wrongHashes(written), moment).toEqual([]);
  }
});
