import { expect, it, vi } from "vitest";
import { takeStep } from "./use-stage-steps.ts";

const shown = { stage_id: "books", version: 7 };

it.each([
  [{ step: "run" }, "steps", { step: "run" }],
  [{ step: "import", run_id: "r1" }, "imports", { run_id: "r1" }],
  [
    { step: "decide", choice: "stop", comment: "Enough." },
    "decision",
    { choice: "stop", comment: "Enough." },
  ],
  [
    { step: "rule", about: "finding", id: "f1", reason: "Known." },
    "ruling",
    { about: "finding", id: "f1", reason: "Known." },
  ],
  [{ step: "reopen", reason: "New figures." }, "reopening", { reason: "New figures." }],
] as const)("%o is asked of the stage in the version that was shown", async (asked, part, body) => {
  const answer = vi.fn(async (..._: Parameters<typeof fetch>) => Response.json({ said: [] }));
  vi.stubGlobal("fetch", answer);
  try {
    await takeStep(shown, asked);
  } finally {
    vi.unstubAllGlobals();
  }
  const [path, request] = answer.mock.calls[0] ?? [];
  expect(path).toBe(`/api/v1/stages/books/${part}`);
  expect(JSON.parse(String(request?.body))).toEqual({ version: 7, ...body });
});
