import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("SECURITY.md", root), "utf8");

it("SECURITY.md names for every threat a test that exists", () => {
  const rows = page.split("\n").filter((line) => /^\| (?!who|---)/u.test(line));
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    const named = [...row.matchAll(/`([^`]+\.test\.ts)`/gu)].map(([, path]) => path ?? "");
    expect(named, row).not.toEqual([]);
    for (const path of named) expect(existsSync(fileURLToPath(new URL(path, root))), path).toBe(true);
  }
});
