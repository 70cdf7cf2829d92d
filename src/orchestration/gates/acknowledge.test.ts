import { expect, it } from "vitest";
import { preparedFolder } from "../../../tests/support/prepared-folder.ts";
import { newProjectFolder, studioWithoutSocket } from "../../../tests/support/studio.ts";
import { makeNotes } from "../../../tests/support/studio-episode.ts";
import { lazily } from "../../domain/values/lazily.ts";
import { acknowledgeTrivial } from "./acknowledge.ts";
import { loadWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { acknowledgePairs } from "./rule-pairs.ts";
import { loadRulings } from "./rulings.ts";
import { selectPairs } from "./select-pairs.ts";
import { dismissFinding, loadWork } from "./warn-queue.ts";

const story = preparedFolder(makeNotes);
const path = "notes/allergens.md";
const gate = "prose/stock-phrases";

/** Two programs on one project; the second acts after the first has looked and before it writes. */
async function atOnce(act: (tools: WritingTools) => Promise<unknown>) {
  const root = newProjectFolder();
  story.copyTo(root);
  const [mine, theirs] = [await studioWithoutSocket(root), await studioWithoutSocket(root)];
  const tools = await mine.parts.notes.tools();
  const others = await theirs.parts.notes.tools();
  const first = lazily(() => act(others));
  const late: WritingTools = {
    ...tools,
    store: {
      read: (work) => tools.store.read(work),
      transaction: async (work) => {
        await first();
        return tools.store.transaction(work);
      },
    },
    exclusively: async (name, work) => {
      await first();
      return tools.exclusively(name, work);
    },
  };
  const acts = async () =>
    (await loadRulings(tools)).all.length +
    (await tools.store.read(({ reviews }) => reviews.acceptances.ofNote(path))).length;
  const before = await acts();
  return { late, written: async () => (await acts()) - before, tools };
}

async function acknowledge(tools: WritingTools) {
  const world = await loadWorld(tools, { paths: [path], gates: [gate] });
  return acknowledgePairs(tools, world, {
    ...{ names: [`${path}:${gate}`], models: tools.settings.models },
    ...{ reason: "one more fact", by: "Mira", dryRun: false },
  });
}

it("refuses the second of two programs that acknowledge the same pair at once", async () => {
  const { late, written } = await atOnce(acknowledge);
  await expect(acknowledge(late)).rejects.toMatchObject({ code: "pair-moved" });
  expect(await written()).toBe(1);
});

it("automatically acknowledges only pairs that were not settled meanwhile", async () => {
  const trivially = async (tools: WritingTools) => {
    const world = await loadWorld(tools, { paths: [path], gates: [] });
    const { stale } = await selectPairs(tools, world, { models: tools.settings.models });
    const trivial = stale.map((pair) => ({ ...pair, trivial: true }));
    return acknowledgeTrivial(tools, trivial, { by: "Mira", dryRun: false });
  };
  const { late, written } = await atOnce(trivially);
  const { pairs } = await trivially(late);
  const { length } = pairs.filter(({ accepted }) => accepted !== undefined);
  expect(length).toBeGreaterThan(1);
  expect(await written()).toBe(length);
});

it("refuses the second of two programs that dismiss the same finding at once", async () => {
  const dismiss = async (tools: WritingTools) => {
    const scope = { paths: [], gates: [], includeDismissed: true };
    const [first] = (await loadWork(tools, scope)).flatMap(({ items }) => items);
    const { fingerprint } = first!;
    return dismissFinding(tools, { fingerprint, reason: "a quotation", by: "Mira" });
  };
  const { late, tools } = await atOnce(dismiss);
  await expect(dismiss(late)).rejects.toMatchObject({ code: "already-dismissed" });
  const item = await loadWork(tools, { paths: [], gates: [], includeDismissed: true });
  const { fingerprint } = item.flatMap(({ items }) => items).find((one) => one.dismissed)!;
  const again = { fingerprint, reason: "mine", by: "Jon", seenOpen: true };
  await expect(dismissFinding(tools, again)).rejects.toMatchObject({ code: "already-dismissed" });
  expect((await loadRulings(tools)).all).toHaveLength(1);
});
