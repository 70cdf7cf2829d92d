import { afterEach, expect, it, vi } from "vitest";
import { startReview } from "./use-review.ts";

afterEach(() => vi.unstubAllGlobals());

/** What a server is asked that plans under the version "now". */
function askedServer(): readonly (readonly [path: unknown, body: unknown])[] {
  const asked: (readonly [unknown, unknown])[] = [];
  vi.stubGlobal("fetch", async (path: unknown, { body }: { readonly body: string }) => {
    asked.push([path, JSON.parse(body)]);
    return Response.json({ version: "now" });
  });
  return asked;
}

it("starts the plan that was shown and makes no other", async () => {
  const asked = askedServer();
  await startReview({ gates: ["prose/calm"] }, "shown");
  expect(asked).toEqual([["/api/v1/notes/review", { gates: ["prose/calm"], version: "shown" }]]);
});

it("plans first where no plan was shown, and starts that one", async () => {
  const asked = askedServer();
  await startReview({ note_ids: ["n1"], again: true }, undefined);
  expect(asked).toEqual([
    ["/api/v1/notes/plan", { note_ids: ["n1"], again: true }],
    ["/api/v1/notes/review", { note_ids: ["n1"], again: true, version: "now" }],
  ]);
});
