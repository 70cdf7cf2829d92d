import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readChapters } from "./read-chapters.ts";

const folder = join(import.meta.dirname, "../../../tests/episodes/fixtures/chapters");
const fixture = (name: string) => readFileSync(join(folder, name), "utf8");

test.each([
  ["podcasting20.json", "json", 312.5, 4100, 1],
  ["audacity.txt", "audacity", 312.5, 4100, 0],
  ["ffmetadata.txt", "ffmetadata", 312.5, 4100, 0],
  ["auphonic.json", "json", 312.5, undefined, 0],
  ["auphonic.txt", "lines", 312.5, undefined, 0],
  ["auphonic.psc", "podlove", 312.5, undefined, 0],
  ["youtube.txt", "lines", 312, undefined, 3],
])("%s is read", (name, format, second, end, leftOut) => {
  expect(readChapters(fixture(name))).toEqual({
    format,
    leftOut,
    chapters: [
      { title: "Welcome", startSec: 0, endSec: second },
      { title: "The tool library", startSec: second, endSec: 3725 },
      {
        ...{ title: "What breaks; and why", startSec: 3725 },
        ...(end === undefined ? {} : { endSec: end }),
      },
    ],
  });
});

test("every fixture has a test", () => {
  expect(readdirSync(folder)).toHaveLength(7);
});

test.each([
  ['{"title": "no chapters"}', "are JSON without a list of chapters"],
  ['{"chapters": [{"title": "Intro"}]}', "chapter 1 has no start"],
  ['{"chapters": [', "not valid JSON"],
  ["<rss><channel/></rss>", "XML without <psc:chapter>"],
  [";FFMETADATA1\n[CHAPTER]\ntitle=Intro\n", "chapter 1 has no START"],
  [";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/0\nSTART=5\n", 'the TIMEBASE "1/0", not one'],
  ["0.000000\t1.000000\tIntro\nand then\n", "line 2 is not"],
  ["00:00 Intro\nabout bread\n05:00 Oven\n", "line 2 of the chapters"],
  ["About the show\n\n00:00 Intro\nsoon\n", "line 4 of the chapters"],
  ["05:00 Oven\n01:00 Dough\n", 'chapter "Dough" starts at 01:00'],
  ["An essay about bread.\n", "line 1 of the chapters"],
  ["00.00 Intro\n05:00 Oven\n06:00 Dough\n", "line 1 of the chapters"],
  ["Meet us at\n12:00 on Sunday\n", "line 1 of the chapters"],
  ["{Intro}\n", "line 1 of the chapters"],
  ["{}", "are JSON without a list of chapters"],
  ['["Intro"]', "chapter 1 has no start"],
])("%j is refused with the reason", (text, said) => {
  expect(() => readChapters(text)).toThrow(said);
});

test.each([
  ['{ "chapters": [{"start": "00:05", "title": "Oven"}]}', "json"],
  ['[{"start": "00:05", "title": "Oven"}]', "json"],
  ['[ {"start": "00:05", "title": "Oven"}]', "json"],
  ['[\n{"start": "00:05", "title": "Oven"}]', "json"],
  ["[00:05] Oven", "lines"],
])("%j is a chapter that starts after five seconds", (text, format) => {
  const chapters = [{ title: "Oven", startSec: 5 }];
  expect(readChapters(text)).toEqual({ format, chapters, leftOut: 0 });
});

test.each([
  ["- 0:00 Intro\n- 5:00 Oven", 0],
  ["• 0:00 Intro\n• 5:00 Oven", 0],
  ["1. 0:00 Intro\n2. 5:00 Oven", 0],
  ["0:00: Intro\n5:00 | Oven", 0],
  ["0:00 - 5:00 Intro\n5:00 – 6:00 Oven", 0],
  ["Buy bread!\n\nChapters:\n0:00 Intro\n5:00 Oven\n\nFollow us", 3],
])("chapters as descriptions have them are read: %j", (text, leftOut) => {
  expect(readChapters(text)).toMatchObject({
    ...{ format: "lines", leftOut },
    chapters: [
      { title: "Intro", startSec: 0, endSec: 300 },
      { title: "Oven", startSec: 300 },
    ],
  });
});

test("titles in XML may have quotes, brackets and entities", () => {
  const text = `<psc:chapters><psc:chapter start="0" title="It's &#8220;bread&#8221; &gt; 5" />
    <psc:chapter title='B > "A"' start='00:01:00'/></psc:chapters>`;
  expect(readChapters(text).chapters).toEqual([
    { title: "It's “bread” > 5", startSec: 0, endSec: 60 },
    { title: 'B > "A"', startSec: 60 },
  ]);
});

test("a file of opened elements is refused at once", () => {
  for (const element of ["<chapter ", '<chapter start="']) {
    const begun = performance.now();
    expect(() => readChapters(`<a>${element.repeat(20_000)}`)).toThrow("without <psc:chapter>");
    expect(performance.now() - begun).toBeLessThan(2000);
  }
});

test("brackets in a title do not make a list JSON", () => {
  expect(readChapters("00:00 What [] and {} are")).toMatchObject({ format: "lines" });
});

test("Audacity labels may have decimal commas", () => {
  expect(readChapters("0,5\t1,25\tIntro\n").chapters).toEqual([
    { title: "Intro", startSec: 0.5, endSec: 1.25 },
  ]);
});

test("an FFmpeg time base that is not given is nanoseconds", () => {
  const text =
    ";FFMETADATA1\n[CHAPTER]\nSTART=0\nEND=1\ntitle=A\n[CHAPTER]\nSTART=90000000000\ntitle=B\n";
  expect(readChapters(text).chapters.map(({ startSec }) => startSec)).toEqual([0, 90]);
});
