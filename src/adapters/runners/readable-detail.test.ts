import { expect, it } from "vitest";
import { readableDetail } from "./readable-detail.ts";

it("takes keys out of a message, and leaves it readable when a key is too short to be one", () => {
  expect(readableDetail("the key k-123456 is wrong", ["k-123456"])).toBe(
    "the key [secret] is wrong",
  );
  expect(readableDetail("a bad model name", ["a"])).toBe("a bad model name");
});
