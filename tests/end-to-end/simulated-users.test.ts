import { expect, it } from "vitest";
import { hurried, openTalk, talkPack } from "../support/open-talk.ts";

it("a simulated user talks until its goal is reached, and every turn is recorded", async () => {
  const talk = await openTalk();
  const ended = await talk.run("--report", "report.xml");
  expect(ended).toMatchObject({ code: 0 });
  expect(talk.asked).toEqual(["How many Oak desk in summer?", "On 2024-06-30."]);
  expect(talk.turns).toHaveLength(3);
  for (const format of talk.formats) expect(format).toHaveProperty("properties.say");
  expect(talk.turns[0]).toContain("Your goal: How many Oak desk were in stock on 2024-06-30?");
  const page = talk.read("scenarios/summer/scenario_output.md");
  expect(page).toContain("**Simulated user**\n\n> On 2024-06-30.");
  expect(page).toContain("Reached: 9 pieces of Oak desk");
  expect(JSON.parse(talk.read("scenarios/summer/steps/turn_2/turn.json"))).toMatchObject({
    user_message: "On 2024-06-30.",
  });
  expect(talk.report()).toMatch(/turn_1[^>]*>[\s\S]*turn_2[^>]*>[\s\S]*"goal /u);
  expect((await talk.verify()).out).toContain("proven");
  expect(ended.out).toContain("Users played by ollama/shop:latest.");
  expect(talk.read("final_status.md")).toContain("Users played by ollama/shop:latest.");
});

it("a goal is not reached by an answer to a fixed question before the dialogue", async () => {
  const question = "How many Oak desk were in stock on 2024-06-30?";
  const steps = `    steps: [{ step_id: first, question: "${question}" }]\n    user:`;
  const manifest = talkPack.replace("    user:", steps);
  const talk = await openTalk({ manifest });
  expect((await talk.run()).code).toBe(1);
  expect(talk.turns).toHaveLength(2);
  expect(talk.turns[0]).toContain("The first exchange came before you.");
  expect(talk.turns[1]).toContain("no answer to a message of yours contains the quote");
  expect(talk.read("scenarios/summer/final_status.md")).toContain(
    "no answer of the dialogue contains what the user quotes: 9 pieces of Oak desk",
  );
});

it("an outage in the middle costs neither a turn nor a call of the user's model", async () => {
  const talk = await openTalk();
  talk.state.isDown = true;
  expect((await talk.run()).code).toBe(5);
  expect(talk.turns).toHaveLength(2);
  talk.state.isDown = false;
  expect((await talk.run()).code).toBe(0);
  expect(talk.asked).toEqual(["How many Oak desk in summer?", "On 2024-06-30."]);
  expect(talk.turns).toHaveLength(3);
});

it("what was not reached fails, and --failed asks the recorded questions before anything new", async () => {
  const talk = await openTalk();
  talk.state.answer = "That is unknown.";
  talk.state.say = (prompt, turn) =>
    turn > 2 ? { goal: "given_up", why: "It does not know." } : hurried(prompt, turn);
  const failed = await talk.run();
  expect(failed).toMatchObject({ code: 1 });
  expect(talk.read("scenarios/summer/final_status.md")).toContain(
    "goal: P0 goal_reached: expected goal: How many Oak desk were in stock on 2024-06-30?; seen: the user gave up: It does not know.",
  );
  talk.state.answer = "9 pieces of Oak desk on 2024-06-30.";
  talk.state.say = hurried;
  talk.asked.length = 0;
  talk.turns.length = 0;
  expect((await talk.run("--failed")).code).toBe(0);
  expect(talk.asked).toEqual(["How many Oak desk in summer?", "On 2024-06-30."]);
  expect(talk.turns).toHaveLength(1);
});

it("a user that quotes what no answer says is asked once more, and then the goal is not reached", async () => {
  const talk = await openTalk({ say: () => ({ goal: "reached", quote: "12 pieces" }) });
  expect((await talk.run()).code).toBe(1);
  expect(talk.turns).toHaveLength(2);
  expect(talk.turns[1]).toContain("no answer to a message of yours contains the quote");
  expect(talk.read("scenarios/summer/final_status.md")).toContain(
    "no answer of the dialogue contains what the user quotes: 12 pieces",
  );
  expect(talk.asked).toEqual([]);
});

it("a goal with patterns is reached where an answer matches, whatever the user says", async () => {
  const manifest = talkPack.replace(
    "max_turns: 3",
    "max_turns: 2\n      goal_answer_patterns_any: ['^9 pieces']",
  );
  const talk = await openTalk({ manifest });
  expect((await talk.run("--max-questions", "1")).err).toContain("2 questions");
  expect((await talk.run()).code).toBe(0);
  expect(talk.turns).toHaveLength(2);
  talk.state.answer = "About nine pieces.";
  expect((await talk.run("--replay-users")).code).toBe(1);
  expect(talk.asked).toHaveLength(4);
  expect(talk.turns).toHaveLength(2);
  expect(talk.read("scenarios/summer/final_status.md")).toContain(
    "no answer matches /^9 pieces/ within 2 turns",
  );
});

it("a dialogue of a stage is planned with its turns, handed over, and proven by the same questions", async () => {
  const talk = await openTalk();
  const stage = (command: string, ...more: readonly string[]) =>
    talk.signoff("stage", command, "--manifest", "stage.yaml", ...more);
  talk.write(
    "stage.yaml",
    "stage_id: talk\nmodule_name: Talk\npack_manifest: pack.yaml\nanalyst: offline/rules\n",
  );
  const planned = (await stage("plan")).out;
  expect(planned).toContain("1 scenario, 3 questions");
  expect(planned).toContain("a model plays them: at most 4 calls");
  const { answer } = talk.state;
  talk.state.answer = "That is unknown.";
  talk.state.say = (prompt, turn) =>
    turn > 2 ? { goal: "given_up", why: "It does not know." } : hurried(prompt, turn);
  const broken = await stage("run", "--user-model", "ollama/shop");
  expect(broken).toMatchObject({ code: 3 });
  expect(broken.out).toContain("How many Oak desk were in stock on 2024-06-30? [goal_gap:");
  const first = [...talk.asked];
  Object.assign(talk.state, { answer, say: hurried });
  talk.asked.length = 0;
  talk.turns.length = 0;
  const again = printed((await stage("status")).out, "signoff stage run");
  expect((await talk.signoff(...again)).code).toBe(0);
  expect(talk.asked).toEqual(first);
  expect(talk.turns).toHaveLength(1);
  expect((await stage("close", "--confirmed-by", "Ada")).out).toContain(
    "Closed; confirmed by Ada.",
  );
});

it("a loop over a dialogue hands it over, and the printed command replays it until it is accepted", async () => {
  const talk = await openTalk();
  const { answer } = talk.state;
  talk.state.answer = "That is unknown.";
  talk.state.say = (prompt, turn) =>
    turn > 2 ? { goal: "given_up", why: "It does not know." } : hurried(prompt, turn);
  const judge = ["--analyst", "offline/rules", "--target-score", "70"];
  const handed = await talk.signoff(...talk.pack("loop", ...judge));
  expect(handed).toMatchObject({ code: 3 });
  const brief = talk.read("lead_coder_handoff.md");
  expect(brief).toContain("the user gave up: It does not know.");
  expect(brief).toContain("On 2024-06-30.");
  const first = [...talk.asked];
  Object.assign(talk.state, { answer, say: hurried });
  talk.asked.length = 0;
  talk.turns.length = 0;
  const again = printed(brief, "signoff pack loop");
  expect(again).toEqual(expect.arrayContaining(["--user-model", ...judge]));
  expect((await talk.signoff(...again)).code).toBe(0);
  expect(talk.asked).toEqual(first);
  expect(talk.turns).toHaveLength(1);
  expect((await talk.verify()).out).toContain("proven");
});

/** The words of a command that was printed, to be typed as they stand. */
function printed(text: string, begin: string): readonly string[] {
  const line = text.split("\n").find((one) => one.includes(begin)) ?? "";
  return line.slice(line.indexOf(begin)).trim().split(" ").slice(1);
}
