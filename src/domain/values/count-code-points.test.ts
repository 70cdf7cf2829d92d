import fc from "fast-check";
import { expect, it } from "vitest";
import { countCodePoints } from "./count-code-points.ts";

it("counts an emoji once and every half of a broken one", () => {
  const unit = fc.constantFrom("a", "é", "🐝", "\ud83d", "\udc1d");
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(countCodePoints(text)).toBe([...text].length);
    }),
  );
});
