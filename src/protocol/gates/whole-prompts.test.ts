import { expect, it } from "vitest";
import { memberInstructions } from "./member-instructions.ts";
import {
  renderBlockRepairPrompt,
  renderBundlePrompt,
  renderPromptFile,
  renderSweepPrompt,
} from "./prompt.ts";
import { scriptedReview } from "./task.ts";
import { writeBundleOutput } from "./write-output.ts";

const nonce = "1f2e3d4c5b6a79880011";
const gates = [
  { id: "prose/stock", body: "Find phrases that say nothing." },
  { id: "prose/source", body: "Find words left over.\n" },
];
const prices = {
  path: "notes/prices.md",
  text: "# Prices\n\nSee [returns](returns.md) and [stock](gone.md).\n",
  links: [
    { text: "returns", destination: "returns.md", path: "notes/returns.md" },
    { text: "stock", destination: "gone.md" },
  ],
};
const hours = { path: "notes/hours.md", text: "\nWe are open.", links: [] };

it("shows a reviewer one note, several gates and the form of the reply", () => {
  const prompt = renderBundlePrompt({ note: prices, gates, nonce, member: "You are strict." });
  expect(prompt).toMatchInlineSnapshot(`
    "You are strict.

    Review the note notes/prices.md against 2 gates: prose/stock, prose/source.

    Judge each gate by itself.

    Reply with one block per review, in the order asked for, and stop after the last. Between the two marked
    lines of a block (each carries the code 1f2e3d4c5b6a79880011; copy them exactly, outside any code fence) write:

    ### Summary
    a short paragraph
    ### Findings
    - <severity>: <finding, with line N where it helps>   (severity: info, warn, fail)
      > the words of the note it is about, verbatim
    ### Suggested revision
    optional
    ## Result <code of the block>: PASS, WARN, FAIL or ERROR   (one of them, as the last line, and nothing after it)

    Write None. where there is no finding. Each block has a code of its own, given below; a result without it does
    not count. The result is the worst severity among the findings; info does not count against a PASS. ERROR means that the
    gate could not be judged. Quote the note only behind \`>\`.

    --- GATE prose/stock 1f2e3d4c5b6a79880011 begins ---
    Find phrases that say nothing.
    --- GATE prose/stock 1f2e3d4c5b6a79880011 ends ---

    --- GATE prose/source 1f2e3d4c5b6a79880011 begins ---
    Find words left over.
    --- GATE prose/source 1f2e3d4c5b6a79880011 ends ---

    --- NOTE notes/prices.md 1f2e3d4c5b6a79880011 begins ---
    # Prices

    See [returns](returns.md) and [stock](gone.md).
    --- NOTE notes/prices.md 1f2e3d4c5b6a79880011 ends ---

    Links of notes/prices.md, resolved:
    - [returns](returns.md) -> notes/returns.md

    Links of notes/prices.md that lead nowhere (broken; do not search for them):
    - [stock](gone.md)

    Write these blocks, each with the code 1f2e3d4c5b6a79880011:

    === GATE REVIEW START 1f2e3d4c5b6a79880011: prose/stock ===
    …
    ## Result s8z34fx2v6: …
    === GATE REVIEW END 1f2e3d4c5b6a79880011: prose/stock ===

    === GATE REVIEW START 1f2e3d4c5b6a79880011: prose/source ===
    …
    ## Result f2xmg7dmuv: …
    === GATE REVIEW END 1f2e3d4c5b6a79880011: prose/source ===
    "
  `);
});

it("shows a reviewer several notes and one gate, and what could not be read", () => {
  const sweep = { gate: gates[0]!, notes: [prices, hours], nonce };
  expect(
    renderBlockRepairPrompt({ sweep }, [{ message: "block is missing: a\nb" }, { message: "c" }]),
  ).toMatchInlineSnapshot(`
    "An earlier reply could not be read completely:

    - block is missing: a%0Ab
    - c

    Write only the blocks asked for below.

    Review 2 notes against the gate prose/stock.

    Judge each note by itself: what one note does well or badly says nothing about the next.

    Reply with one block per review, in the order asked for, and stop after the last. Between the two marked
    lines of a block (each carries the code 1f2e3d4c5b6a79880011; copy them exactly, outside any code fence) write:

    ### Summary
    a short paragraph
    ### Findings
    - <severity>: <finding, with line N where it helps>   (severity: info, warn, fail)
      > the words of the note it is about, verbatim
    ### Suggested revision
    optional
    ## Result <code of the block>: PASS, WARN, FAIL or ERROR   (one of them, as the last line, and nothing after it)

    Write None. where there is no finding. Each block has a code of its own, given below; a result without it does
    not count. The result is the worst severity among the findings; info does not count against a PASS. ERROR means that the
    gate could not be judged. Quote the note only behind \`>\`.

    --- GATE prose/stock 1f2e3d4c5b6a79880011 begins ---
    Find phrases that say nothing.
    --- GATE prose/stock 1f2e3d4c5b6a79880011 ends ---

    --- NOTE notes/prices.md 1f2e3d4c5b6a79880011 begins ---
    # Prices

    See [returns](returns.md) and [stock](gone.md).
    --- NOTE notes/prices.md 1f2e3d4c5b6a79880011 ends ---

    Links of notes/prices.md, resolved:
    - [returns](returns.md) -> notes/returns.md

    Links of notes/prices.md that lead nowhere (broken; do not search for them):
    - [stock](gone.md)

    --- NOTE notes/hours.md 1f2e3d4c5b6a79880011 begins ---

    We are open.
    --- NOTE notes/hours.md 1f2e3d4c5b6a79880011 ends ---

    Write these blocks, each with the code 1f2e3d4c5b6a79880011:

    === NOTE START 1f2e3d4c5b6a79880011: notes/prices.md ===
    === GATE REVIEW START 1f2e3d4c5b6a79880011: prose/stock ===
    …
    ## Result b89zremtn9: …
    === GATE REVIEW END 1f2e3d4c5b6a79880011: prose/stock ===
    === NOTE END 1f2e3d4c5b6a79880011: notes/prices.md ===

    === NOTE START 1f2e3d4c5b6a79880011: notes/hours.md ===
    === GATE REVIEW START 1f2e3d4c5b6a79880011: prose/stock ===
    …
    ## Result x6rrxs9qjf: …
    === GATE REVIEW END 1f2e3d4c5b6a79880011: prose/stock ===
    === NOTE END 1f2e3d4c5b6a79880011: notes/hours.md ===

    "
  `);
});

it.each([
  ["note", { ...hours, text: `x${nonce}x` }, gates[0]!],
  ["gate", hours, { id: "prose/stock", body: `x${nonce}` }],
])("refuses a code that the %s holds", (_, note, gate) => {
  const refused = expect.objectContaining({ code: "nonce-known", facts: { nonce } });
  expect(() => renderBundlePrompt({ note, gates: [gate], nonce })).toThrow(refused);
  expect(() => renderSweepPrompt({ gate, notes: [note], nonce })).toThrow(refused);
});

it("asks an agent to write its reply into a file", () => {
  const wish = "Write your reply into the file out.md. That file is the one thing you write.";
  expect(renderPromptFile({ text: "Review." }, "out.md")).toBe(`${wish}\n\nReview.`);
  expect(renderPromptFile({ system: "Be fair.", text: "Review." }, "out.md")).toBe(
    `${wish}\n\nBe fair.\n\nReview.`,
  );
});

it("introduces a member of a panel with its role and criteria", () => {
  const start = 'You are "a", one of the judges on the panel "p". Judge in your own role.';
  expect(memberInstructions("p", { name: "a" })).toBe(start);
  expect(memberInstructions("p", { name: "a", role: " Lawyer ", criteria: " No claims.\n" })).toBe(
    `${start}\n\nYour role: Lawyer\n\nYour own criteria, which you apply beside what a gate asks:\n\nNo claims.`,
  );
});

it("writes a review as a model would", () => {
  const findings = [
    { severity: "warn", message: "Vague\nwords", quote: "Green\n# Clean", line: 3 },
    { severity: "info", message: "See lines 4 to 5", line: 4 },
    { severity: "info", message: "Airlines 7", line: 5 },
  ] as const;
  const written = (summary: string) =>
    writeBundleOutput([{ gateId: "g", review: { decision: "warn", summary, findings } }]);
  expect(written("Nearly there.")).toMatchInlineSnapshot(`
    "=== GATE REVIEW START: g ===
    ### Summary

    Nearly there.

    ### Findings

    - warn: Vague words (line 3)
      > Green
      > # Clean
    - info: See lines 4 to 5
    - info: Airlines 7 (line 5)

    ## Result: WARN
    === GATE REVIEW END: g ===
    "
  `);
  expect(written("# Heading")).toContain("\n\nSummary: # Heading\n\n");
  expect(written("Pass. All is well.")).toContain("\n\nSummary: Pass. All is well.\n\n");
});

it("writes the verdict that a script names, and any other text as it is", () => {
  expect(scriptedReview("pass")).toEqual({
    decision: "pass",
    summary: "Scripted review: pass.",
    findings: [],
  });
  expect(scriptedReview("fail")).toEqual({
    decision: "fail",
    summary: "Scripted review: fail.",
    findings: [{ severity: "fail", message: "scripted finding" }],
  });
  expect(scriptedReview("PASS")).toEqual({ text: "PASS" });
});
