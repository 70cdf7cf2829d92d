import { expect, it } from "vitest";
import { readFindings } from "./read-findings.ts";

const read = (text: string) => readFindings(text.split("\n"));

it.each([
  ["- warn: Vague", [{ severity: "warn", message: "Vague" }]],
  ["- **WARN** Vague", [{ severity: "warn", message: "Vague" }]],
  ["1. [fail] Wrong, see line 12", [{ severity: "fail", message: "Wrong, see line 12", line: 12 }]],
  ["2) Severity: error — Broken", [{ severity: "error", message: "Broken" }]],
  ["### (info) Fine", [{ severity: "info", message: "Fine" }]],
  ["• ok: Fine", [{ severity: "info", message: "Fine" }]],
  ["- passed: Fine", [{ severity: "info", message: "Fine" }]],
  ["- failure: Wrong", [{ severity: "fail", message: "Wrong" }]],
  ["- warning — Vague", [{ severity: "warn", message: "Vague" }]],
  ["- Failed to name a source", [{ severity: "warn", message: "Failed to name a source" }]],
  ["- **Warn of it", [{ severity: "warn", message: "**Warn of it" }]],
  ["- Vague", [{ severity: "warn", message: "Vague" }]],
  ["- Vague [fail]", [{ severity: "fail", message: "Vague [fail]" }]],
  ["- info: Fine (severity: error)", [{ severity: "error", message: "Fine (severity: error)" }]],
  ["Two errors found", [{ severity: "fail", message: "Two errors found" }]],
  ["Two warnings", [{ severity: "warn", message: "Two warnings" }]],
])("reads %j", (text, findings) => {
  expect(read(text)).toEqual(findings);
});

it.each([
  "",
  "None.",
  "- None",
  "**None found.**",
  "(nothing to report)",
  "- n/a",
  "— Keine",
  "No findings.",
  "0 warnings, 0 errors",
  "- …".slice(0, 2),
  "| severity | finding |\n|---|---|",
])("finds nothing in %j", (text) => {
  expect(read(text)).toEqual([]);
});

it("takes a long line that begins like none for a finding", () => {
  const long = `None${" ".repeat(117)}`;
  expect(read(long.slice(0, 120))).toEqual([]);
  expect(read(`- ${"(".repeat(116)}none`)).toEqual([]);
  expect(read(`- ${"(".repeat(117)}none`)).toEqual([
    { severity: "warn", message: `${"(".repeat(117)}none` },
  ]);
});

it("continues a finding on lines that are indented or follow at once", () => {
  const text = "- warn: One\ngoes on\n\n  and on\n\nTwo\n Three\n\n Four";
  expect(read(text).map(({ message }) => message)).toEqual([
    "One goes on and on",
    "Two Three",
    "Four",
  ]);
});

it("keeps the quoted words apart from what is said about them", () => {
  expect(read("- warn: Vague\n  > Green\n  >  and clean\n> again\nas before")).toEqual([
    { severity: "warn", message: "Vague as before", quote: "Green\n and clean\nagain" },
  ]);
  expect(read("> Green")).toEqual([{ severity: "warn", message: "", quote: "Green" }]);
});

it("takes fenced lines for a part of their finding", () => {
  expect(read("- warn: Vague\n```\n- fail: no finding\n```").map(({ message }) => message)).toEqual(
    ["Vague ``` - fail: no finding ```"],
  );
  expect(read("```\n| a |\n```").map(({ message }) => message)).toEqual(["| a | ```"]);
});

it("reads each row of a table, with its severity in any column", () => {
  const table = [
    "| Line | Severity | Finding |",
    "|:--|---|--:|",
    "| 3 | FAIL | Wrong |",
    "  | warn | Vague | 4",
    "| 5 | Long |",
    "| **error** | Broken |",
  ];
  expect(read(table.join("\n"))).toEqual([
    { severity: "fail", message: "3 — Wrong" },
    { severity: "warn", message: "Vague — 4" },
    { severity: "warn", message: "5 — Long" },
    { severity: "error", message: "Broken" },
  ]);
});

it.each([
  ["see lines 3 to 5", 3],
  ["(line 12345678)", undefined],
  ["(Line 1234567)", 1234567],
  ["online 4", undefined],
  ["line 4th", undefined],
])("finds the line in %j", (text, line) => {
  expect(read(`- warn: ${text}`)[0]?.line).toBe(line);
});
