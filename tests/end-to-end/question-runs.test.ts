import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, signoff } from "../support/scenario-cli.ts";
import { openStory, perfectVerdict, type Story } from "../support/shop-stories.ts";

const openings = [
  "What is in stock on 2024-03-31?",
  "How many Oak desk were in stock on 2024-01-31?",
  "How many Oak desk were sold in 2024-03?",
  "How many Office chair are in stock on 2024-06-30?",
];

const pack = (command: string, { shop }: Story, ...more: readonly string[]) => [
  ...["pack", command, "--manifest", "pack/pack.yaml", "--assistant-url", shop.url, "-q"],
  ...["--output-dir", "out", ...more],
];

function analyst(shop: Story, ...replies: readonly unknown[]): readonly string[] {
  shop.write("analyst.json", JSON.stringify({ analyst: replies }));
  return ["--script", "analyst.json"];
}

describe("a case", () => {
  const stock = "How many Oak desk were in stock on 2024-03-31?";
  const ask = ({ shop }: Story, question: string, ...more: readonly string[]) => [
    ...["case", "run", question, "--assistant-url", shop.url, "-q", "--case-id", "desk", ...more],
  ];
  const names = (shop: Story) =>
    [...filesBelow(join(shop.path, "artifacts/domain_runs/desk")).keys()].map((name) =>
      name.replace(/reruns\/[^/]+/, "reruns/<run>"),
    );

  it("is asked again beside its baseline, and an earlier rerun is kept", async () => {
    const shop = await openStory();
    expect((await shop.run(...ask(shop, stock))).code).toBe(0);
    const baseline = shop.read("artifacts/domain_runs/desk/baseline_turn.json");
    expect((await shop.run(...ask(shop, stock, "--rerun"))).code).toBe(0);
    expect((await shop.run(...ask(shop, stock, "--rerun"))).code).toBe(0);
    expect(shop.shop.questions).toHaveLength(3);
    expect(shop.read("artifacts/domain_runs/desk/baseline_turn.json")).toBe(baseline);
    expect(names(shop)).toEqual([
      "baseline_debug.json",
      "baseline_output.md",
      "baseline_state.json",
      "baseline_turn.json",
      "case_brief.md",
      "rerun_debug.json",
      "rerun_output.md",
      "rerun_state.json",
      "rerun_turn.json",
      "reruns/<run>/rerun_debug.json",
      "reruns/<run>/rerun_output.md",
      "reruns/<run>/rerun_state.json",
      "reruns/<run>/rerun_turn.json",
      "run_manifest.json",
    ]);
  });

  it("has no rerun of another question, or without a baseline; the assistant is not asked", async () => {
    const shop = await openStory();
    const bare = await shop.run(...ask(shop, stock, "--rerun"));
    expect(bare.code).toBe(2);
    expect(bare.err).toContain("no baseline");
    await shop.run(...ask(shop, stock));
    const other = await shop.run(...ask(shop, "Who supplied the Oak desk?", "--rerun"));
    expect(other.code).toBe(2);
    expect(other.err).toContain("asked something else");
    expect(shop.shop.questions).toEqual([stock]);
  });

  it("goes on with a rerun that was killed, and asks nothing twice", async () => {
    const shop = await openStory();
    await shop.run(...ask(shop, stock));
    const args = ask(shop, stock, "--rerun");
    const killed = await signoff(shop.path, args, { SIGNOFF_STOP_AT: "reply-recorded" });
    expect(killed.code).toBeNull();
    const again = await shop.run(...args);
    expect(again.code, again.err).toBe(0);
    expect(shop.shop.questions).toHaveLength(2);
    expect(names(shop)).toContain("rerun_turn.json");
  });
});

describe("a budget of questions", () => {
  it("that one replay would exceed is refused before anybody is asked", async () => {
    const shop = await openStory();
    for (const command of ["run", "loop"]) {
      const refused = await shop.run(...pack(command, shop, "--max-questions", "19"));
      expect(refused.code).toBe(2);
      expect(refused.err).toContain("One replay asks 20 questions");
    }
    const repeated = await shop.run(...pack("run", shop, "--repeat", "2", "--max-questions", "39"));
    expect(repeated.code).toBe(2);
    expect(shop.shop.questions).toHaveLength(0);
  });

  it("ends a loop between two replays, and says what would raise it", async () => {
    const shop = await openStory(["temporal"]);
    const args = pack("loop", shop, "--max-questions", "50");
    expect((await shop.run(...args)).code).toBe(3);
    expect((await shop.run(...args)).code).toBe(3);
    const third = await shop.run(...args);
    expect(third.code).toBe(2);
    expect(third.err.replace(/\s+/g, " ")).toContain("Give more --max-questions");
    expect(shop.shop.questions).toHaveLength(40);
  });
});

describe("a budget of money, tokens or time", () => {
  it("ends a loop before its analyst is asked; with more it goes on and repeats no question", async () => {
    const shop = await openStory();
    shop.write("signoff.yaml", "version: 1\nlimits: { budget: { tokens: 60 } }\n");
    const poor = await shop.run(...pack("loop", shop));
    expect(poor.code, poor.err).toBe(4);
    expect(poor.err).toContain("larger --budget");
    expect(shop.shop.questions).toHaveLength(20);
    expect(existsSync(join(shop.path, "out/loop_state.json"))).toBe(false);
    expect(shop.json("out/run_manifest.json")).toMatchObject({ finished: false });
    const rich = await shop.run(...pack("loop", shop, "--budget", "900000tokens"));
    expect(rich.code, rich.err).toBe(0);
    expect(shop.shop.questions).toHaveLength(20);
    expect(shop.json("out/loop_state.json")).toMatchObject({ iterations: [{ accepted: true }] });
  });

  it("of time ends a pack between two questions, whichever command plays it", async () => {
    for (const command of ["run", "loop"]) {
      const shop = await openStory();
      const poor = await shop.run(...pack(command, shop, "--budget", "0.001s"));
      expect(poor.code, poor.err).toBe(4);
      expect(shop.shop.questions.length).toBeLessThan(20);
      const rich = await shop.run(...pack(command, shop, "--budget", "60min"));
      expect(rich.code, rich.err).toBe(0);
      expect(shop.shop.questions).toHaveLength(20);
    }
  });

  it("holds for a chain and for a case of its own", async () => {
    const shop = await openStory();
    const args = ["scenario", "run", "--assistant-url", shop.shop.url, "-q"];
    args.push("--manifest", "pack/sales-and-revenue.yaml", "--output-dir", "out");
    expect((await shop.run(...args, "--budget", "0.001s")).code).toBe(4);
    const asked = shop.shop.questions.length;
    expect(asked).toBeGreaterThan(0);
    const done = await shop.run(...args, "--budget", "60min");
    expect(done.code, done.err).toBe(0);
    expect(shop.shop.questions.length).toBeGreaterThan(asked);
    expect(new Set(shop.shop.questions).size).toBe(shop.shop.questions.length);
    const question = ["case", "run", "How many Oak desk are in stock?", "--budget", "a fortune"];
    expect((await shop.run(...question)).code).toBe(2);
  });

  it("in money needs the analyst's price, and says so before anybody is asked", async () => {
    const shop = await openStory();
    const args = pack("loop", shop, "--budget", "1usd", "--analyst", "openai/unheard-of");
    const refused = await shop.run(...args);
    expect(refused.code).toBe(2);
    expect(refused.err.replace(/\s+/g, " ")).toContain("needs the price of openai/unheard-of");
    expect(shop.shop.questions).toHaveLength(0);
  });
});

describe("a loop", () => {
  it.each(["missing_observation", "architecture_risk", "brittle_workaround", "business_tradeoff"])(
    "asks a person about a %s, in the inbox and in place; stopping hands over",
    async (type) => {
      const shop = await openStory();
      const asks = {
        ...perfectVerdict,
        loop_decision: "continue",
        requires_user_decision: true,
        user_decision_type: type,
        user_decision_prompt: "Gross or net revenue?",
      };
      const args = pack("loop", shop, ...analyst(shop, asks));
      const waiting = await shop.run(...args);
      expect(waiting.code, waiting.err).toBe(3);
      expect(waiting.err).toContain("Gross or net revenue?");
      expect(waiting.err).toContain("--decide continue or --decide stop");
      expect((await shop.run("inbox")).out).toContain("Gross or net revenue?");
      const stopped = await shop.run(...args, "--decide", "stop", "--by", "Ada");
      expect(stopped.code, stopped.err).toBe(3);
      expect(shop.json("out/loop_state.json").next_action).toBe("lead_coder_repair_required");
      expect(shop.shop.questions).toHaveLength(20);
      const late = await shop.run(...args, "--decide", "stop");
      expect(late.code).toBe(2);
      expect(late.err).toContain("waits for a decision");
    },
  );

  it("whose assistant is truly blocked stops at once; no coder can repair that", async () => {
    const shop = await openStory(["error-500"]);
    const coder = [
      "--repair-mode",
      "auto-coder",
      `--coder=${process.execPath}`,
      "--coder=-e",
      `--coder=${writesFile}`,
    ];
    const ended = await shop.run(...pack("loop", shop, ...coder));
    expect(ended.code, ended.err).toBe(1);
    expect(shop.json("out/loop_state.json")).toMatchObject({
      next_action: "continue_autonomous_or_fix_blocker",
      iterations: [{ status: "blocked", accepted: false }],
    });
    expect(existsSync(join(shop.path, "coder-was-here"))).toBe(false);
  });
});

const writesFile = "require('node:fs').writeFileSync('coder-was-here', '')";

describe("a stored run of questions", () => {
  it("is listed by its folder and shown with its report", async () => {
    const shop = await openStory(["temporal"]);
    const played = await shop.run(...pack("run", shop, "--json"));
    const { run_id: run } = JSON.parse(played.out) as { run_id: string };
    const list = JSON.parse((await shop.run("runs", "list", "--json")).out) as {
      runs: { run_id: string; title: string }[];
    };
    expect(list.runs.find((one) => one.run_id === run)?.title).toBe(
      "The shop's books: 10 of 19 steps",
    );
    const shown = await shop.run("runs", "show", run.slice(0, 8));
    expect(shown.code, shown.err).toBe(0);
    expect(shown.out).toContain("The shop's books: partial");
    expect((await shop.run("runs", "show", run, "--json")).out).toBe(played.out);
  });

  it("is listed without its scenarios, which stand below it and in the whole list", async () => {
    const shop = await openStory();
    const played = await shop.run(...pack("run", shop, "--json"));
    const { run_id: run } = JSON.parse(played.out) as { run_id: string };
    const listed = async (...flags: string[]) => {
      const { out } = await shop.run("runs", "list", "--json", ...flags);
      return (JSON.parse(out) as { runs: { run_id: string; kind: string }[] }).runs;
    };
    expect((await listed()).map((one) => one.run_id)).toEqual([run]);
    const parts = (await listed("--all")).filter(({ kind }) => kind === "scenario");
    expect(parts.length).toBeGreaterThan(1);
    const shown = (await shop.run("runs", "show", run)).out;
    for (const part of parts) expect(shown).toContain(part.run_id.slice(0, 8));
  });

  it("that was killed is shown with its state, and resumed like any other", async () => {
    const shop = await openStory();
    await signoff(shop.path, pack("run", shop), { SIGNOFF_STOP_AT: "step-judged:3" });
    const list = JSON.parse((await shop.run("runs", "list", "--json")).out) as {
      runs: { run_id: string; kind: string }[];
    };
    const run = list.runs.find(({ kind }) => kind === "pack")?.run_id ?? "";
    const shown = await shop.run("runs", "show", run);
    expect(shown.code, shown.err).toBe(0);
    expect(shown.out).toContain("(pack) is interrupted.");
    expect(shown.out).toContain("Files so far: out");
    const resumed = await shop.run("runs", "resume", run, "-q");
    expect(resumed.code, resumed.err).toBe(0);
    expect(resumed.out).toContain("The shop's books: accepted");
    const { questions } = shop.shop;
    expect(new Set(questions).size).toBe(20);
    const repeated = questions.filter((question, at) => questions.indexOf(question) < at);
    // Scenarios ask side by side; one that had no session yet cannot look in it for the answer that was lost.
    expect(openings).toEqual(expect.arrayContaining(repeated));
  });

  it("compares as JSON with the names of every other document", async () => {
    const shop = await openStory();
    await shop.run(...pack("run", shop));
    const same = await shop.run("pack", "compare", "out", "out", "--json");
    expect(Object.keys(JSON.parse(same.out) as object)).toEqual([
      "divergences",
      "better",
      "worse",
      "only_before",
      "only_after",
    ]);
  });
});

it("an assistant that is not there is said once, not question by question", async () => {
  const shop = await openStory();
  const nobody = ["pack", "run", "--manifest", "pack/pack.yaml", "--assistant-url"];
  const ended = await shop.run(...nobody, "http://127.0.0.1:9", "-q");
  expect(ended.code).toBe(5);
  expect(ended.err).toContain("The assistant cannot be reached");
  expect(ended.err.split("\n").length).toBeLessThan(8);
});

describe("saving", () => {
  const save = (...more: readonly string[]) => [
    ...["pack", "save", "--spec", "pack/pack.yaml", "--validated-run-dir", "out", ...more],
  ];

  const publish = (script: string) =>
    [process.execPath, "-e", script].map((word) => `--publish=${word}`);

  it("takes a loop by its latest iteration, names the evidence, and can be run again", async () => {
    const shop = await openStory();
    await shop.run(...pack("loop", shop));
    const saved = await shop.run(...save("--json"));
    expect(saved.code, saved.err).toBe(0);
    const { file } = JSON.parse(saved.out) as { file: string };
    const note = shop.json(file.replace(".pack.json", ".saved.json"));
    expect(note).toMatchObject({ mark: "validated", validated_run_dir: "out/iterations/01" });
    expect(Object.keys(note.evidence as object)).toContain("truth_review.json");
    const url = ["--assistant-url", shop.shop.url, "--output-dir", "again"];
    const again = await shop.run("pack", "run", "--manifest", file, ...url, "-q");
    expect(again.code, again.err).toBe(0);
    const { spec_hash: hash } = shop.json("again/run_manifest.json");
    expect(hash).toBe(note.spec_hash);
  });

  it("publishes with the user's own command, and stays saved when that fails", async () => {
    const shop = await openStory();
    await shop.run(...pack("run", shop));
    const copy =
      "process.stdin.pipe(require('node:fs').createWriteStream('published.json')); console.log(process.argv[1])";
    const published = await shop.run(...save(...publish(copy)));
    expect(published.code, published.err).toBe(0);
    expect(published.out).toContain("Published.");
    expect(shop.json("published.json")).toMatchObject({ pack_id: "shop_pack" });
    const failed = await shop.run(...save(...publish("process.exit(7)")));
    expect(failed.code).toBe(5);
    expect(failed.out).toContain("Saved");
    expect(failed.out.replace(/\s+/gu, " ")).toContain("it ended with 7");
  });
});
