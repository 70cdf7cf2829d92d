import { expect, test } from "vitest";
import { z } from "zod";
import { parsedOrThrow } from "../documents/file-problem.ts";
import { parseStage, stageShape } from "./parse-stage.ts";

test("a stage has the defaults of the gate and of the project's settings", () => {
  const settled = { targetScore: 88, repairMode: "lead-handoff", fileHints: {} } as const;
  const text =
    "stage_id: suppliers\nmodule_name: Suppliers\npack_manifest: pack.yaml\nlocal_stage: { goal: Right supplier }\n";
  const parsed = parseStage({ file: "stage.yaml", text }, settled);
  expect(parsedOrThrow(parsed, { code: "bad-manifest" })).toMatchObject({
    targetScore: 88,
    maxIterations: 6,
    repairMode: "lead-handoff",
    saveAutorunOnAccept: true,
    localStage: { goal: "Right supplier", inScope: [] },
  });
  expect(parseStage({ file: "stage.yaml", text: `${text}target_score: 101\n` }, settled).kind).toBe(
    "problems",
  );
});

test("editors get a JSON Schema that names the required keys", () => {
  expect(z.toJSONSchema(stageShape, { io: "input" })).toMatchObject({
    required: ["stage_id", "module_name", "pack_manifest"],
  });
});
