import { expect, it } from "vitest";
import { chooseSetting, isFromProject } from "./choose-setting.ts";

it("values from files of the project are the project's, and no others", () => {
  expect([".env", "signoff.yaml:models.writer"].map((one) => isFromProject(one as ".env"))).toEqual(
    [true, true],
  );
  expect((["flag", "environment"] as const).map(isFromProject)).toEqual([false, false]);
});

it("takes a flag before the environment, .env and signoff.yaml, and the first among equals", () => {
  const given = (["signoff.yaml:3", "signoff.yaml:9", ".env", "environment", "flag"] as const).map(
    (source) => ({ value: source, source, as: "writer" }),
  );
  const chosen = (count: number) => chooseSetting(given.slice(0, count))?.source;
  expect([1, 2, 3, 4, 5].map(chosen)).toEqual([
    ...["signoff.yaml:3", "signoff.yaml:3", ".env", "environment", "flag"],
  ]);
  expect(chooseSetting(given.toReversed())?.source).toBe("flag");
  expect(chooseSetting(given.slice(0, 3).toReversed())?.source).toBe(".env");
  expect(chooseSetting([])).toBeUndefined();
});
