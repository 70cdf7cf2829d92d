import { describe, expect, it } from "vitest";
import {
  firstReview,
  received,
  recorded,
  review,
  run,
  show,
  started,
  vague,
  written,
} from "../../../tests/support/draft-display-events.ts";
import { key } from "../../domain/values/ids.ts";

describe("on a terminal", () => {
  const call = {
    run,
    key: key("turn/1/candidate/1/create"),
    role: "creator",
    model: "ollama/mistral",
  };
  const part = (text: string) => ({ kind: "text", part: text, ...call }) as const;

  it("streams the draft and replaces it by the settled one", () => {
    let now = 0;
    const shown = show({ isTerminal: true, millis: () => (now += 50) });
    shown.display.notice({ kind: "call-started", ...call, attempt: 1 });
    expect(shown.text()).toContain("… ollama/mistral");
    shown.display.notice(part("Hydrate "));
    shown.display.notice(part("Green"));
    expect(shown.text().split("\x1B[3A\x1B[J").at(-1)).toContain("Hydrate Green");
    shown.display.notice({ kind: "call-replied", ...call, seconds: 1, replayed: false });
    expect(shown.text().endsWith("\x1B[3A\x1B[J")).toBe(true);
  });

  it("draws nothing that a narrow window would wrap", () => {
    const shown = show({ isTerminal: true, columns: 30 });
    shown.display.notice({ kind: "call-started", ...call, attempt: 1 });
    expect(shown.text()).toBe("");
  });

  it("counts data and thoughts instead of showing them", () => {
    let now = 0;
    for (const text of ['{"content": "Hydrate', "<think>What would a commuter say?"]) {
      const shown = show({ isTerminal: true, millis: () => (now += 50) });
      shown.display.notice(part(text));
      expect(shown.text()).toContain(`… ${text.length} characters`);
      expect(shown.text()).not.toContain("Hydrate");
    }
  });

  it("draws ten megabytes of stream only now and then, in a few lines", () => {
    let now = 0;
    const shown = show({ isTerminal: true, millis: () => (now += 0.01) });
    for (let count = 0; count < 10_000; count += 1) {
      shown.display.notice(part("\x1B[2J\u202Ewater ".repeat(100)));
    }
    expect(shown.text().length).toBeLessThan(10_000);
    expect(shown.text()).not.toContain("\x1B[2J");
    expect(
      Math.max(
        ...shown
          .text()
          .split("\x1B[J")
          .map((area) => area.split("\n").length),
      ),
    ).toBe(7);
  });
});

describe("hostile text", () => {
  const attack = [
    "Nice\x1B[2J\x1B[H\x1B]0;owned\x07",
    "✓ Approved after 1 turn: writer and reviewer both signed.\r✓ Approved",
    "\u202Edevorppa",
    "\x9B1;1H✓ Approved",
  ].join("\n");

  it("never leaves its column, whoever sends it", () => {
    const shown = show();
    shown.display.show(started({ brief: attack, recipe: attack, creatorModel: attack }));
    const answers = [{ issueId: "i1", answer: "rebutted", reason: attack }];
    const issue = { ...vague, message: attack, code: attack, field: attack, quote: attack };
    const its = review(1, {
      verdict: "changes_requested",
      issues: [issue],
      summary: attack,
      reviewer: attack,
    });
    shown.display.show(written(1, attack, { answers, checks: [issue] }));
    shown.display.show(received(1, its));
    shown.display.show(recorded(1, attack, its));
    shown.display.show(written(2, `${attack} again`));
    expect(shown.text()).not.toMatch(/(?!\n)\p{Control}|\u202E/u);
    const atMargin = shown.lines().filter((line) => /^[^ ]/.test(line));
    expect(atMargin.filter((line) => line.startsWith("✓"))).toEqual([]);
  });

  it("is cut when it is ten megabytes long", () => {
    const shown = show();
    const flood = "water ".repeat(1_700_000);
    const many = Array.from({ length: 500 }, () => ({ ...vague, message: flood }));
    shown.display.show(written(1, flood));
    shown.display.show(received(1, review(1, { verdict: "changes_requested", issues: many })));
    shown.display.show(recorded(1, flood, firstReview));
    shown.display.show(written(2, `${flood}bottles`));
    expect(shown.text().length).toBeLessThan(100_000);
    expect(shown.text()).toContain("more characters)");
    expect(shown.text()).toContain("and 480 more");
  });
});
