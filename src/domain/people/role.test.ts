import { expect, it } from "vitest";
import { includes, roles } from "./role.ts";

it("includes itself and the roles before it, and no other", () => {
  const table = roles.map((role) => roles.filter((needed) => includes(role, needed)));
  expect(table).toEqual([["look"], ["look", "decide"], ["look", "decide", "run"]]);
});
