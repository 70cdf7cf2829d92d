import { describe, expect, it } from "vitest";
import { type Act, covers, readAct } from "./acts.ts";

const coder = (...argv: string[]): Act => ({ kind: "program", argv, folder: "/shop" });
const key = (address: string, variable = "LAB_KEY"): Act => ({ kind: "secret", address, variable });

describe("an agreement", () => {
  it.each<[string, Act, Act, boolean]>([
    ["the same program", coder("node", "fix.mjs"), coder("node", "fix.mjs"), true],
    ["another word", coder("node", "fix.mjs"), coder("node", "evil.mjs"), false],
    ["one word more", coder("sh", "fix.sh"), coder("sh", "fix.sh", "-x"), false],
    ["another folder", coder("fix"), { kind: "program", argv: ["fix"], folder: "/copy" }, false],
    ["a prompt's path", coder("fix", "--in={prompt_file}"), coder("fix", "--in=a/p.md"), true],
    ["an option in its place", coder("fix", "{prompt_file}"), coder("fix", "--run=x.md"), false],
    ["a script in its place", coder("sh", "{prompt_file}"), coder("sh", "evil.sh"), false],
    ["the same key for the same address", key("http://lab"), key("http://lab"), true],
    ["another address", key("http://lab"), key("http://evil"), false],
    ["another variable", key("http://lab"), key("http://lab", "AWS_KEY"), false],
    ["a folder below", { kind: "folder", path: "/out" }, { kind: "folder", path: "/out/a" }, true],
    [
      "a folder beside",
      { kind: "folder", path: "/out" },
      { kind: "folder", path: "/outer" },
      false,
    ],
    ["another kind", { kind: "folder", path: "/shop" }, coder("fix"), false],
  ])("covers %s or not", (_, agreed, act, isCovered) => {
    expect(covers(agreed, act)).toBe(isCovered);
  });

  it("is read back from what was stored, and from nothing else", () => {
    for (const act of [
      coder("a", "b"),
      key("http://lab"),
      { kind: "folder", path: "/o" } as const,
    ]) {
      expect(readAct(JSON.parse(JSON.stringify(act)))).toEqual(act);
    }
    for (const other of [
      ...[null, 3, [], {}],
      { kind: "program", argv: [1], folder: "/" },
      { kind: "program", argv: "a", folder: "/" },
      { kind: "program", argv: ["a"] },
      { kind: "other", argv: ["a"], folder: "/" },
      { kind: "secret", address: "http://lab" },
      { kind: "other", address: "http://lab", variable: "LAB_KEY" },
      { kind: "other", path: "/o" },
      { kind: "folder", path: 1 },
    ]) {
      expect(readAct(other)).toBeUndefined();
    }
  });
});
