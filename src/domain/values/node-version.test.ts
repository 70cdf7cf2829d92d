import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nodeVersionProblem, requireNode } from "./node-version.ts";

test.each(["22.18.0", "22.23.3", "24.21.0", "26.10.0"])("Node %s is supported", (version) => {
  expect(nodeVersionProblem(version)).toBeUndefined();
});

test.each(["18.20.4", "20.20.2", "22.17.1"])("Node %s gets one sentence", (version) => {
  expect(nodeVersionProblem(version)).toBe(
    `Signoff needs Node 22.18 or newer; this is Node ${version}.`,
  );
});

test("the library refuses an old Node with the same sentence, and no other", () => {
  expect(() => requireNode("20.20.2")).toThrow(/^Signoff needs Node 22\.18 or newer/);
  expect(() => requireNode("22.18.0")).not.toThrow();
});

test("package.json names the same version", () => {
  const manifest = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  expect(JSON.parse(manifest).engines.node).toBe(">=22.18");
});
