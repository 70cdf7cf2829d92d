import { extractDecision } from "../../../dist/src/protocol/gates/extract-decision.js";
import { interleaved } from "../measure.mjs";

const finding =
  "- warn: The second paragraph repeats what the first one said, in nearly the same words.\n  > The oven is cleaned on Mondays, and on Mondays the oven is cleaned.\n  line 12\n";
const prose =
  "The note says what it promises, in the order a reader needs it, and names its source.\nA few sentences could be shorter; none of them misleads.\n";
const review = `### Summary\n${prose.repeat(6)}\n### Findings\n${finding.repeat(4)}\n### Suggested revision\n${prose.repeat(8)}\n## Result: WARN\n`;
const count = 20_000;

/** What a stranger can write to keep a reader busy, by its size. */
const hostile = {
  "blank lines": (size) => "\n".repeat(size),
  spaces: (size) => " ".repeat(size),
  "result lines": (size) => "## Result: PASS\n".repeat(size / 16),
  "open results": (size) => "Result: ".repeat(size / 8),
  "half fences": (size) => "```\n~~~\n".repeat(size / 8),
  stars: (size) => "*".repeat(size),
  "table cells": (size) => "| verdict ".repeat(size / 10),
  quotes: (size) => "> ".repeat(size / 2),
  comments: (size) => "<!-- ".repeat(size / 5),
};

/** Milliseconds of processor time: the reader waits for nothing, and what others do does not count. */
function busy(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Reviews of 3 kB one after the other; a megabyte of hostile text, and half of it. */
export async function decisionReader() {
  const { plain } = await interleaved(5, {
    plain: () =>
      busy(() => {
        for (let at = 0; at < count; at += 1)
          if (extractDecision(review) !== "warn") throw new Error("misread");
      }),
  });
  const figures = [
    {
      figure: "decision of a review of 3 kB",
      unit: "µs",
      ours: (plain * 1000) / count,
      bound: 1_000_000 / 150_000,
      boundIs: "150,000 a second",
      target: 1,
    },
  ];
  const worst = { whole: 0, growth: 0 };
  for (const [name, write] of Object.entries(hostile)) {
    const [whole, half] = [write(1_000_000), write(500_000)];
    const took = await interleaved(9, {
      half: () => busy(() => extractDecision(half)),
      whole: () => busy(() => extractDecision(whole)),
    });
    if (took.whole > worst.whole) Object.assign(worst, { ...took, name });
    // Below a millisecond the clock and the collector are measured, not the reader.
    if (took.whole >= 1) worst.growth = Math.max(worst.growth, took.whole / took.half);
  }
  return [
    ...figures,
    {
      figure: `decision of 1 MB, the slowest of ${Object.keys(hostile).length} (${worst.name})`,
      unit: "ms",
      ours: worst.whole,
      bound: 100,
      boundIs: "the limit we set",
      target: 1,
    },
    {
      figure: "growth of its time, the worst of them",
      unit: "",
      ours: worst.growth,
      bound: 1,
      boundIs: "1 MB against half of it",
      target: 2.5,
    },
  ];
}
