import { expect, it, onTestFinished } from "vitest";
import { startDemoAssistant } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { openAssistant, openStory, type Story } from "../support/shop-stories.ts";

async function open(): Promise<{ readonly shop: Story; readonly other: string }> {
  const shop = await openStory(["temporal"]);
  const other = await startDemoAssistant({});
  onTestFinished(() => other.close());
  return { shop, other: other.url };
}

const vouched = ["--assistant-changed", "--reason", "moved to the new host"];
const oneLine = (text: string) => text.replace(/\s+/g, " ");

it("a loop goes on at another address only if a person says why", async () => {
  const { shop, other } = await open();
  const loop = (url: string, ...more: readonly string[]) =>
    shop.run(
      ...["pack", "loop", "--manifest", "pack/pack.yaml", "--output-dir", "loop", "-q"],
      ...["--assistant-url", url, ...more],
    );
  expect((await loop(shop.shop.url)).code).toBe(3);
  const refused = await loop(other);
  expect(refused.code).toBe(2);
  expect(oneLine(refused.err)).toContain(`The earlier run asked ${shop.shop.url}`);
  expect((await loop(other, "--assistant-changed")).code).toBe(2);
  const accepted = await loop(other, ...vouched);
  expect(accepted.code, accepted.err).toBe(0);
  expect(shop.json("loop/iterations/02/pack_state.json")).toMatchObject({
    assistant: { url: other, version: "unobserved" },
  });
});

it("runs of two assistants are compared only if a person says why", async () => {
  const { shop, other } = await open();
  const play = (url: string, folder: string) =>
    shop.run(
      ...["pack", "run", "--manifest", "pack/pack.yaml", "-q"],
      ...["--assistant-url", url, "--output-dir", folder],
    );
  await play(shop.shop.url, "before");
  await play(other, "after");
  expect((await shop.run("pack", "compare", "before", "after")).code).toBe(2);
  const compared = await shop.run("pack", "compare", "before", "after", ...vouched);
  expect(compared.code).toBe(0);
  expect(oneLine(compared.out)).toContain("Reason given: moved to the new host");
});

it("a run names its assistant and the version that its answers show", async () => {
  let version = "1.4";
  const shown = await openAssistant(() => ({ assistant_reply: "5 pieces.", build: { version } }));
  const shop = await openStory();
  shop.write(
    "signoff.yaml",
    "version: 1\nscenarios: { assistant: { name: the shop, message: { answer: { version: build.version } } } }\n",
  );
  shop.write(
    "one.yaml",
    "scenario_id: one\ndomain: d\nsteps: [{ step_id: a, question: How many desks? }]\n",
  );
  const args = ["pack", "run", "--spec", "one.yaml", "--skip-question-review", "-q"];
  const ended = await shop.run(...args, "--assistant-url", shown.url);
  expect(ended.code, ended.err).toBe(0);
  expect(oneLine(ended.out)).toContain(`Asked: the shop at ${shown.url}, version 1.4.`);
  version = "1.5";
  await shop.run(...args, "--assistant-url", shown.url);
  const state = shop.json("artifacts/domain_runs/one/pack_state.json");
  expect(state.assistant).toEqual({ url: shown.url, name: "the shop", version: "1.5" });
});
