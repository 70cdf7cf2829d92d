import { describe, expect, it } from "vitest";
import { openStory } from "../support/shop-stories.ts";
import { startSignoff } from "../support/signoff-process.ts";
import { openStageStory, smallPack } from "../support/stage-story.ts";

const files = ["--log-level", "debug", "--log-file", "all.log", "--metrics-file", "all.prom"];

function eventsIn(log: string): readonly string[] {
  const lines = log.trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as { readonly event: string }).event);
}

describe("log and metrics of every command", () => {
  it("count a pack loop, its analyst's calls and its run", async () => {
    const shop = await openStory([]);
    const args = ["pack", "loop", "--manifest", "pack/pack.yaml", "--assistant-url", shop.shop.url];
    await shop.run(...args, "-q", ...files);
    const metrics = shop.read("all.prom");
    expect(metrics).toMatch(/^signoff_calls_total\{role="analyst".*outcome="replied"\} \d/mu);
    expect(metrics).toMatch(/^workflow_runs_total\{completion_reason="\w+"\} \d/mu);
    expect(metrics).toMatch(/^signoff_calls_in_flight 0$/mu);
    const events = eventsIn(shop.read("all.log"));
    expect(events).toEqual(expect.arrayContaining(["call-started", "call-replied"]));
  });

  it("count the run of a stage", async () => {
    const shop = await openStageStory({ pack: smallPack, defects: "" });
    await shop.json("run", "--skip-question-review", ...files);
    expect(shop.read("all.prom")).toMatch(/^signoff_calls_total\{role="analyst"/mu);
    expect(eventsIn(shop.read("all.log"))).toContain("call-replied");
  });

  it("are written by a command that only changes the record", async () => {
    const shop = await openStageStory({ pack: smallPack, defects: "" });
    await shop.json("plan", "--metrics-file", "plan.prom");
    expect(shop.read("plan.prom")).toMatch(/^signoff_runs_active 0$/mu);
  });
});

it("serves the demo assistant with its address as JSON", async () => {
  const shop = await openStory([]);
  const args = ["demo", "assistant", "--port", "0", "--defect", "temporal", "--json"];
  const { child, ended } = startSignoff(args, { cwd: shop.path });
  const text = await new Promise<string>((resolve) => {
    child.stdout?.once("data", (part: string) => resolve(part));
  });
  child.kill("SIGINT");
  expect(JSON.parse(text)).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/u),
    defects: ["temporal"],
  });
  expect(await ended).toMatchObject({ code: 0, stdout: text });
});
