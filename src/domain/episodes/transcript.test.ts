import { expect, test } from "vitest";
import { speakersOf } from "./cue.ts";
import { readTranscript } from "./read-transcript.ts";
import { parseSubtitles } from "./subtitles.ts";
import { parseTranscript, renderTranscript, timeMarks } from "./transcript.ts";

const vtt = `WEBVTT - the bakery show
NOTE made by a tool

1
00:00:01.000 --> 00:00:04.000 align:start
<v Ada Bell>Welcome &amp; hello.

00:00:04.500 --> 00:00:06.000
<v Ada Bell><i>Today</i>:
bread.

00:01:10.000 --> 00:01:12.000
<v Ben>Why bread?
`;

const srt = `1
00:00:01,000 --> 00:00:04,000
Ada: Welcome.

2
00:00:05,000 --> 00:00:06,500
Ben: Hello
there.
`;

test("WebVTT cues carry times, speakers and clean words", () => {
  expect(parseSubtitles(vtt)).toEqual([
    { startSec: 1, endSec: 4, speaker: "Ada Bell", text: "Welcome & hello." },
    { startSec: 4.5, endSec: 6, speaker: "Ada Bell", text: "Today: bread." },
    { startSec: 70, endSec: 72, speaker: "Ben", text: "Why bread?" },
  ]);
  expect(readTranscript(vtt)).toEqual({
    ...{ format: "vtt", words: 12, speakers: ["Ada Bell", "Ben"], endSec: 72 },
    text: "00:00:01 Ada Bell: Welcome & hello. Today: bread.\n\n00:01:10 Ben: Why bread?\n",
  });
});

test("SubRip is read with Windows line ends too", () => {
  expect(readTranscript(srt.replaceAll("\n", "\r\n"))).toMatchObject({
    ...{ format: "srt", endSec: 6.5 },
    text: "00:00:01 Ada: Welcome.\n\n00:00:05 Ben: Hello there.\n",
  });
});

test("lines with time and speaker become cues, and lines without belong to the cue before", () => {
  const cues = parseTranscript(
    "00:00:00 Ada Bell: Good morning.\nWe bake.\n\n[00:01:05] Ben: At 10:30 we start.\n1:02:00 Music",
  );
  expect(cues).toEqual([
    { startSec: 0, speaker: "Ada Bell", text: "Good morning. We bake." },
    { startSec: 65, speaker: "Ben", text: "At 10:30 we start." },
    { startSec: 3720, text: "Music" },
  ]);
  expect(speakersOf(cues)).toEqual(["Ada Bell", "Ben"]);
});

test("plain text is paragraphs, and a time inside a sentence is only a time", () => {
  const text = "We met early.\n10:30 was too late.\n\nÖzlem: I was there: on time.";
  expect(readTranscript(text)).toMatchObject({ format: "plain", text: `${text}\n` });
  expect(parseTranscript(text)).toEqual([
    { text: "We met early. 10:30 was too late." },
    { speaker: "Özlem", text: "I was there: on time." },
  ]);
});

test("a canonical text is read as it was rendered", () => {
  const rendered = renderTranscript(parseSubtitles(vtt));
  expect(renderTranscript(parseTranscript(rendered))).toBe(rendered);
});

test("time marks know their place, and one that goes back is left out", () => {
  const text = "00:00:05 A: x\n00:00:03 B: y\n00:00:09 C: z\n";
  expect(timeMarks(text)).toEqual([
    { offset: 0, startSec: 5 },
    { offset: 28, startSec: 9 },
  ]);
});

test("two marks may have the same time, and the first may be zero", () => {
  const text = "00:00:00 A: x\n00:00:00 B: y\n";
  expect(timeMarks(text)).toEqual([
    { offset: 0, startSec: 0 },
    { offset: 14, startSec: 0 },
  ]);
});

test.each([
  ["12:05 Ada: Hi.", 725],
  ["  12:05 Ada: Hi.", 725],
  ["(12:05) Ada: Hi.", 725],
  ["[12:05] Ada: Hi.", 725],
  ["100:05 Ada: Hi.", 6005],
  ["1:05:07 Ada: Hi.", 3907],
  ["1:5:07 Ada: Hi.", 3907],
  ["12:05.250 Ada: Hi.", 725.25],
  ["12:05,5 Ada: Hi.", 725.5],
  ["12:05 - Ada: Hi.", 725],
  ["12:05  –  Ada: Hi.", 725],
  ["12:05 —Ada: Hi.", 725],
  ["12:05\nAda: Hi.", 725],
])("%j begins with a time", (text, startSec) => {
  expect(timeMarks(text)).toEqual([{ offset: 0, startSec }]);
  expect(parseTranscript(text).at(-1)).toMatchObject({ speaker: "Ada", text: "Hi." });
});

test.each(["At 12:05 we met.", "12:05h was late.", "12:05:1 is no time.", "12:75 neither."])(
  "%j does not begin with a time",
  (text) => {
    expect(timeMarks(text)).toEqual([]);
  },
);

test("an empty transcript has no cues", () => {
  expect(parseTranscript(" \n\n")).toEqual([]);
});
