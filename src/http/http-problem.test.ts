import { expect, it } from "vitest";
import { WorkflowError } from "../domain/values/workflow-error.ts";
import { problemOf } from "./http-problem.ts";

it("answers 503 while the store is in trouble, in its own words, and 500 for a bug", () => {
  const about = { code: "store-away", hint: "Check that PostgreSQL runs." };
  const away = problemOf(new WorkflowError("the database cannot be reached", about));
  expect([away.status, away.facts]).toEqual([
    503,
    { ...about, message: "the database cannot be reached" },
  ]);
  expect(problemOf(new TypeError("x is undefined"))).toMatchObject({
    status: 500,
    facts: { code: "internal-error" },
  });
});
