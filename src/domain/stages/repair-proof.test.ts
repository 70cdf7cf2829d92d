import { expect, test } from "vitest";
import { ingested, loop, patched, replay } from "../../../tests/support/stage-events.ts";
import { supplierFinding } from "../../../tests/support/stage-parts.ts";
import { validationHistory } from "./repair-proof.ts";
import type { RunIngested, StageEvent } from "./stage-history.ts";

const question = supplierFinding.question;
const repaired = patched.map((event) =>
  event.kind === "repair-prepared" ? { ...event, findings: [supplierFinding.findingId] } : event,
);
const other = { packHash: "pack-b" };
const hidden = loop(false, {
  replay: { ...replay, findings: [{ ...supplierFinding, isVisible: false }] },
});
const imported = ingested(0, 0) as RunIngested;
const weaker = {
  ...imported,
  asked: imported.asked?.map((one) => ({ ...one, basis: "anything" })),
} as StageEvent;

test.each<[string, StageEvent, StageEvent, string, readonly string[]]>([
  [
    "a replay of another pack that holds the finding against the same",
    loop(false),
    loop(true, other),
    "accepted",
    [],
  ],
  [
    "a replay of another pack that does not ask it",
    loop(false),
    loop(true, { ...other, replay: { ...replay, asked: [] } }),
    "scope_mismatch",
    [question],
  ],
  ["a conversation from elsewhere that asks it", loop(false), imported, "accepted", []],
  [
    "a conversation from elsewhere against weaker expectations",
    loop(false),
    weaker,
    "scope_mismatch",
    [question],
  ],
  [
    "a conversation from elsewhere, where the finding was not visible",
    hidden,
    imported,
    "scope_mismatch",
    [question],
  ],
])("%s", (_title, found, run, status, missingQuestions) => {
  expect(validationHistory([found, ...repaired, run])).toMatchObject([
    { status, missingQuestions },
  ]);
});
