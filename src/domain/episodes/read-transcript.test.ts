import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTranscript } from "./read-transcript.ts";

const folder = join(import.meta.dirname, "../../../tests/episodes/fixtures/transcripts");
const fixture = (name: string) => readFileSync(join(folder, name), "utf8");

const words = [
  "Welcome back to The Long Shelf, the show about things that are shared. Today we talk about the tool library on Harbour Street.",
  "Thanks for having me. We lend four hundred tools to nine hundred neighbours. A drill is used for thirteen minutes in its whole life, so one drill is enough for a street.",
  "What breaks most often?",
  "Ladders. The feet wear out: we replace them every spring.",
];
const turns = (...speakers: readonly [string, string]): string =>
  ["00:00:00", "00:00:11", "00:00:24", "00:00:27"]
    .map((time, at) => `${time} ${speakers[at % 2]}: ${words[at]}\n`)
    .join("\n");
const named = turns("Mira Olsen", "Tomas Reyes");
const numbered = turns("SPEAKER_00", "SPEAKER_01");
const unnamed = `00:00:00 ${words.join(" ")}\n`;
const names = ["Mira Olsen", "Tomas Reyes"];

test.each([
  ["whisper.json", "whisper-json", unnamed, []],
  ["whisperx.json", "whisper-json", numbered, ["SPEAKER_00", "SPEAKER_01"]],
  ["whisper-cpp.json", "whisper-json", unnamed, []],
  ["whisper.txt", "whisper-text", unnamed, []],
  ["talk.vtt", "vtt", named, names],
  ["talk.srt", "srt", named, names],
  ["podcasting20.json", "podcast-json", named, names],
])("%s is read with its times, speakers and end", (name, format, text, speakers) => {
  expect(readTranscript(fixture(name))).toMatchObject({ format, text, speakers, endSec: 33.75 });
});

test.each([
  ["otter.txt", "otter"],
  ["descript.txt", "descript"],
  ["riverside.txt", "riverside"],
  ["rev.txt", "riverside"],
])(
  "%s is read without the title, keywords, time codes and footer of the export",
  (name, format) => {
    expect(readTranscript(fixture(name))).toMatchObject({ format, text: named, speakers: names });
  },
);

test("every fixture has a test", () => {
  expect(readdirSync(folder)).toHaveLength(11);
});

describe("what looks structured and is none of these is refused", () => {
  test.each([
    ['{"results": {"transcripts": [{"transcript": "Hello."}]}}', "is JSON, but not a transcript"],
    ['{"segments": []}', "is JSON, but not"],
    ['{"segments": [{"start": 0, "text": "Hel', "not valid JSON; it may be cut off"],
    [
      '{"segments": [{"start": 0, "end": 1, "text": null}]}',
      "segment 1 of the transcript has no text",
    ],
    ["start\tend\ttext\n0\t4000\tHello.\n4000\t6000\tBye.\n", "is a table of columns"],
    ["start,end,speaker,text\n0,4,Mira,Hello\n", "is a table of columns"],
    ["start,end,text\n0,4,Hello, you\n", "is a table of columns"],
    ['<?xml version="1.0"?>\n<tt><body/></tt>', "is XML or HTML"],
    ["<html><p>Hello</p></html>", "is XML or HTML"],
    ["{\\rtf1\\ansi Hello}", "rich-text"],
    ["[Script Info]\nTitle: Talk\n", "SSA/ASS"],
    ["Talk\nfrom 1s --> to 2s\nHello.\n", "has cue times (-->)"],
  ])("%j", (text, said) => {
    expect(() => readTranscript(text)).toThrow(said);
  });
});

test.each([
  "Mira: It is 10:30, she said.\n\nTomas: Yes, no, maybe.\n",
  "# Notes\n\n- one, two\n- three, four\n",
  "[Music]\n\nMira: Hello.\n",
  "Well, yes\nno, never\n\nSome more, of this.\n",
  "Well,yes\nNever.\n",
  "The tool library (42:10)\n\nToday we talk.\n",
  "Well\tyes\nNo\tnever\tagain.\n",
])("prose stays as it is: %j", (text) => {
  expect(readTranscript(text)).toMatchObject({ format: "plain", text });
});

test("a line that only looks like a turn in the middle of a text costs nothing before it", () => {
  const text = `${"We talk on.\n".repeat(20)}See you at  10:30\n`;
  expect(readTranscript(text)).toMatchObject({ format: "plain", text });
});
