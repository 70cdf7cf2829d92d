import { expect, it } from "vitest";
import { queryOf } from "./runs-search.ts";

it("asks for runs that are not parts of others, unless a person wants those or searches", () => {
  expect(queryOf({})).toEqual({ parts: "hidden" });
  expect(queryOf({ parts: "shown" })).toEqual({ parts: "shown" });
  expect(queryOf({ text: " bread " })).toEqual({ parts: "shown", text: "bread" });
});

it("tells what became of a run from the state it is in", () => {
  expect(queryOf({ state: "failed" })).toMatchObject({ state: "failed" });
  expect(queryOf({ state: "partial" })).toMatchObject({ outcome: "partial" });
  expect(queryOf({ state: "partial" })).not.toHaveProperty("state");
});

it("leaves out what is only half typed", () => {
  expect(queryOf({ since: "2026-1", cost: "." })).toEqual({ parts: "hidden" });
  expect(queryOf({ since: "2026-01-31", cost: "0.5" })).toMatchObject({
    ...{ since: "2026-01-31", min_micro_usd: 500_000 },
  });
});
