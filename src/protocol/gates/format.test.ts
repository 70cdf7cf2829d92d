import { describe, expect, it } from "vitest";
import { FenceTracker, readFence, readSentinel, wireName } from "./format.ts";

const nonce = "abc123";

describe("a marked line", () => {
  it.each([
    ["=== GATE REVIEW START abc123: prose ===", { kind: "gate-start", name: "prose" }],
    ["   === GATE REVIEW END abc123: prose ===  ", { kind: "gate-end", name: "prose" }],
    ["=== NOTE START abc123: a b.md ===", { kind: "note-start", name: "a b.md" }],
    ["=== NOTE END abc123: x ===\r", { kind: "note-end", name: "x" }],
  ])("is read: %j", (line, sentinel) => {
    expect(readSentinel(line, nonce)).toEqual(sentinel);
  });

  it.each([
    "",
    "GATE REVIEW START abc123: prose ===",
    "    === NOTE END abc123: x ===",
    "\t=== NOTE END abc123: x ===",
    "- === NOTE END abc123: x ===",
    "> === NOTE END abc123: x ===",
    "=== NOTE END abc123: x",
    "=== NOTE END abc123: x===",
    "=== NOTE END abc123: x === end",
    "=== NOTE END abc123:  ===",
    "=== NOTE END: x ===",
    "=== NOTE END other: x ===",
    "=== note end abc123: x ===",
  ])("is not %j", (line) => {
    expect(readSentinel(line, nonce)).toBeUndefined();
  });

  it("needs no code where there is none", () => {
    expect(readSentinel("=== NOTE END: x ===", undefined)).toEqual({ kind: "note-end", name: "x" });
    expect(readSentinel("=== NOTE END abc123: x ===", undefined)).toBeUndefined();
  });
});

it.each([
  ["a b", "a b"],
  [" a ", "%20a%20"],
  ["50%", "50%25"],
  ["a\nb", "a%0Ab"],
  ["a\u202eb", "a%E2%80%AEb"],
  ["a\u2028b", "a%E2%80%A8b"],
])("the name %j is written %j", (name, written) => {
  expect(wireName(name)).toBe(written);
});

it.each([
  ["```", { mark: "`", length: 3, rest: "" }],
  ["   ~~~~ md", { mark: "~", length: 4, rest: " md" }],
  ["    ```", undefined],
  ["``", undefined],
  ["", undefined],
  ["text", undefined],
  ["\t```", undefined],
])("the fence of %j", (line, fence) => {
  expect(readFence(line)).toEqual(fence);
});

it.each([
  ["closes with its own mark", ["```", "~~~", "a", "```", "b"], "++++-"],
  ["closes with as many marks or more", ["````", "```", "`````", "b"], "+++-"],
  ["closes with nothing behind the marks", ["```", "``` a", "```  ", "b"], "+++-"],
  ["does not open with a backtick behind", ["``` a`b", "c"], "--"],
  ["opens with a backtick behind tildes", ["~~~ a`b", "c"], "++"],
  ["never ends without a close", ["```", "", "a"], "+++"],
])("a fence %s", (_, lines, expected) => {
  const fences = new FenceTracker();
  expect(lines.map((line) => (fences.isCode(line) ? "+" : "-")).join("")).toBe(expected);
  expect(fences.isOpen).toBe(expected.endsWith("+"));
});
