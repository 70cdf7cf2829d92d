import fc from "fast-check";
import { expect, test } from "vitest";
import { parseChapters, renderChapters } from "./chapter.ts";
import { clockTime, parseClockTime } from "./clock-time.ts";

test("reads minutes, hours, brackets, dashes and blank lines, and ends a chapter where the next begins", () => {
  expect(
    parseChapters("\uFEFF00:00 Intro\r\n\r\n[05:30] - 99 loaves\n1:02:03 – Q&A: yours\n"),
  ).toEqual([
    { title: "Intro", startSec: 0, endSec: 330 },
    { title: "99 loaves", startSec: 330, endSec: 3723 },
    { title: "Q&A: yours", startSec: 3723 },
  ]);
});

test("a list that goes backwards or has a line without time is refused with the place", () => {
  expect(() => parseChapters("05:00 Main\n04:00 Intro\n")).toThrow(
    'chapter "Intro" starts at 04:00, not after "Main" at 05:00',
  );
  expect(() => parseChapters("00:00 Intro\n\nMain topic\n")).toThrow(/line 3 of the chapters/);
  expect(() => parseChapters("00:75 Intro\n")).toThrow(/line 1/);
});

test("what is rendered reads back the same", () => {
  const titles = fc.stringMatching(/^[A-Za-zäöü&][A-Za-zäöü &:0-9]{0,20}[a-z]$/u);
  const starts = fc.uniqueArray(fc.integer({ min: 0, max: 40_000 }), { maxLength: 8 });
  fc.assert(
    fc.property(starts, titles, (seconds, title) => {
      const text = renderChapters(
        seconds
          .sort((a, b) => a - b)
          .map((startSec, index) => ({ title: `${title}${index}`, startSec })),
      );
      expect(renderChapters(parseChapters(text))).toBe(text);
      expect(parseChapters(text).map((one) => one.startSec)).toEqual(seconds);
    }),
  );
});

test("two chapters that begin in the same second stay in order", () => {
  const text = renderChapters([
    { title: "Jingle", startSec: 60.2 },
    { title: "Intro", startSec: 60.7 },
    { title: "Oven", startSec: 61 },
  ]);
  expect(text).toBe("01:00 Jingle\n01:00.700 Intro\n01:01 Oven\n");
  expect(parseChapters(text)).toHaveLength(3);
});

test("clock times survive a round trip and reject what no clock shows", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 359_999 }), (seconds) => {
      expect(parseClockTime(clockTime(seconds))).toBe(seconds);
      expect(parseClockTime(clockTime(seconds, true))).toBe(seconds);
    }),
  );
  for (const text of ["1", "1:2", "00:60", "1:60:00", "a:00", "00:00:00:00", "-1:00"]) {
    expect(parseClockTime(text)).toBeUndefined();
  }
  expect(parseClockTime("00:01:02,5")).toBe(62.5);
});
