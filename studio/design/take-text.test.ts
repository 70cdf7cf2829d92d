import { expect, it } from "vitest";
import { fileNameOf } from "./take-text.tsx";

it.each([
  ["A night train, from Hamburg to Lisbon!", "a-night-train-from-hamburg-to-lisbon.txt"],
  ["../../etc/passwd", "etc-passwd.txt"],
  ["日本の駅", "日本の駅.txt"],
  ["???", "text.txt"],
])("%j is saved as %s", (title, name) => {
  expect(fileNameOf(title)).toBe(name);
});
