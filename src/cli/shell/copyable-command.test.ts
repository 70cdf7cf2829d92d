import { describe, expect, it } from "vitest";
import {
  commandRows,
  copyable,
  raisedBudget,
  shellWords,
  withCommands,
} from "./copyable-command.ts";
import { layOut, layOutLines } from "./lay-out.ts";
import { plainPalette } from "./palette.ts";

const narrow = { width: 30, palette: plainPalette };

describe("a command to copy", () => {
  it("stays on one line, however narrow the terminal is", () => {
    const command = "signoff runs resume 6f6a0a3c-92f2-4c0e-8f0a-0d7f5a3c1b2e --accept-changes";
    expect(layOutLines(commandRows("next", [command, "signoff inbox"]), narrow)).toEqual([
      `  next       ${command}`,
      "             signoff inbox",
    ]);
    expect(layOut(["Go on: ", copyable(command)], narrow)).toEqual(["Go on:", command]);
  });

  it("is found in a sentence by its backticks", () => {
    const hint =
      'Say what it is about, such as `signoff draft "a night train to Lisbon"`, or less.';
    expect(layOut(withCommands(hint), narrow)).toEqual([
      "Say what it is about, such as",
      '`signoff draft "a night train to Lisbon"`,',
      "or less.",
    ]);
  });

  it("quotes what a shell would read otherwise", () => {
    expect(shellWords(["signoff", "draft", "it's <new>", "-o", "a/b.md", ""])).toBe(
      "signoff draft 'it'\\''s <new>' -o a/b.md ''",
    );
  });

  it("asks for a budget that the run can go on with", () => {
    const budget = { microUsd: 250_000, tokens: 20, seconds: 1.5 };
    expect(raisedBudget(budget, {})).toBe("0.5usd,40tokens,3s");
    const tokens = { bound: "tokens", limit: 20, spent: 5, reserved: 0, asked: 600 };
    expect(raisedBudget(budget, tokens)).toBe("0.5usd,1210tokens,3s");
    const seconds = { bound: "seconds", limit: 1.5, spent: 3.06, reserved: 0, asked: 0 };
    expect(raisedBudget({ seconds: 1.5 }, seconds)).toBe("8s");
  });
});
