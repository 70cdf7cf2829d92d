import { expect, it } from "vitest";
import { instant, secondsBetween } from "./instant.ts";

it("counts no time backwards when the clock was set back", () => {
  const [noon, later] = [instant("2026-03-02T12:00:00.000Z"), instant("2026-03-02T12:00:01.500Z")];
  expect(secondsBetween(noon, later)).toBe(1.5);
  expect(secondsBetween(later, noon)).toBe(0);
});
