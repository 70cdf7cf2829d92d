import { expect, it } from "vitest";
import { renderBlockRepairPrompt, renderBundlePrompt, renderSweepPrompt } from "./prompt.ts";

const nonce = "1f2e3d4c5b6a79880011";
const gates = [
  { id: "prose/stock-phrases", body: "Find phrases that say nothing." },
  { id: "prose/source-residue", body: "Find words left over from the source." },
];
const prices = {
  path: "notes/prices.md",
  text: "# Prices\n\nSee [returns](returns.md) and [stock](gone.md).\n",
  links: [
    { text: "returns", destination: "returns.md", path: "notes/returns.md" },
    { text: "stock", destination: "gone.md" },
  ],
};

it("a bundle prompt names every gate, embeds every text and shows the link table", () => {
  const prompt = renderBundlePrompt({ note: prices, gates, nonce });
  for (const { id, body } of gates) {
    expect(prompt).toContain(body);
    expect(prompt).toContain(`=== GATE REVIEW START ${nonce}: ${id} ===`);
  }
  expect(prompt).toContain(prices.text);
  expect(prompt).toContain("- [returns](returns.md) -> notes/returns.md");
  expect(prompt).toContain("lead nowhere (broken; do not search for them):\n- [stock](gone.md)");
});

it("a sweep prompt asks for one block per note and for independence", () => {
  const hours = { path: "notes/opening\nhours.md", text: "# Hours\n", links: [] };
  const prompt = renderSweepPrompt({ gate: gates[0]!, notes: [prices, hours], nonce });
  expect(prompt).toContain("Judge each note by itself");
  for (const text of [prices.text, hours.text, gates[0]!.body])
    expect(prompt.split(text)).toHaveLength(2);
  expect(prompt).toContain(`=== NOTE START ${nonce}: notes/prices.md ===`);
  expect(prompt).toContain(`=== NOTE START ${nonce}: notes/opening%0Ahours.md ===`);
});

it("a repair prompt asks for exactly the missing blocks and says what was wrong", () => {
  const prompt = renderBlockRepairPrompt({ bundle: { note: prices, gates: [gates[1]!], nonce } }, [
    { message: "block is missing: prose/source-residue" },
  ]);
  expect(prompt).toContain("- block is missing: prose/source-residue");
  expect(prompt).not.toContain(gates[0]!.id);
});

it("the same facts give the same prompt, to the byte", () => {
  const once = renderBundlePrompt({ note: prices, gates, nonce });
  expect(renderBundlePrompt({ note: prices, gates, nonce })).toBe(once);
});
