import { describe, expect, it } from "vitest";
import { readTranscript } from "./read-transcript.ts";
import { parseBracketedCues, parseSubtitles } from "./subtitles.ts";
import { compareTimestamps, inUtc, isTimestamp } from "./timestamp.ts";
import { readTranscriptJson, seconds } from "./transcript-json.ts";

const at = (text: string) => text as Parameters<typeof inUtc>[0];

describe("cues of WebVTT and SubRip", () => {
  const cue = (...lines: readonly string[]) => parseSubtitles(lines.join("\n"));

  it.each([
    ["times alone", ["00:01.000 --> 00:02.000", "Hello", "there"]],
    ["a number before", ["7", "00:01.000 --> 00:02.000", "Hello there"]],
    ["settings behind", ["00:01.000 --> 00:02.000 align:start", "<i>Hello</i>  there"]],
    ["other lines before", ["7", "intro", "00:01.000 --> 00:02.000", "Hello there"]],
    ["styles inside", ["00:01.000 --> 00:02.000", "{\\an8}<b>Hello</b> there"]],
    ["an empty line inside", ["00:01,000 --> 00:02,000", "Hello", "", "there"]],
    ["numbered entities", ["00:01.000 --> 00:02.000", "&#72;ell&#x6f; there"]],
    ["blanks around", ["  ", " 00:01,000  -->  00:02,000 ", "Hello there"]],
  ])("are read with %s", (_, lines) => {
    expect(cue(...lines)).toEqual([{ startSec: 1, endSec: 2, text: "Hello there" }]);
  });

  it.each([
    ["a note", ["NOTE nothing", "Hello"]],
    ["no words", ["00:01.000 --> 00:02.000"]],
    ["words that are tags only", ["00:01.000 --> 00:02.000", "<i> </i>"]],
    ["no time", ["soon --> later", "Hello"]],
  ])("are not read from %s", (_, lines) => {
    expect(cue(...lines)).toEqual([]);
  });

  it("need no empty line between them, and a line with blanks is none", () => {
    const [first, second] = ["00:01.000 --> 00:02.000", "00:02.000 --> 00:03.000"];
    const expected = [
      { startSec: 1, endSec: 2, text: "Hello 5" },
      { startSec: 2, endSec: 3, text: "Bye" },
    ];
    expect(cue("1", first, "Hello 5", "2", second, "Bye")).toEqual(expected);
    expect(cue("WEBVTT", "", first, " ", "Hello 5", " ", "2", second, "Bye")).toEqual(expected);
    expect(cue("WEBVTT", "", first, "Hello 5", "", "NOTE x", "", "id", second, "Bye")).toEqual(
      expected,
    );
  });

  it("keep what two people say in one cue apart", () => {
    const times = "00:01.000 --> 00:02.000";
    const apart = [
      { startSec: 1, endSec: 2, speaker: "Ada", text: "Hello you." },
      { startSec: 1, endSec: 2, speaker: "Ben", text: "Hi." },
    ];
    expect(cue(times, "<v Ada>Hello", "you.</v>", "<v Ben>Hi.</v>")).toEqual(apart);
    expect(cue(times, "<v Ada>Hello you.</v> <v Ben>Hi.</v>")).toEqual(apart);
    expect(cue(times, "Ada: Hello", "you.", "Ben: Hi.")).toEqual(apart);
    expect(cue(times, "I say", "Ben: Hi.")).toMatchObject([{ text: "I say Ben: Hi." }]);
  });

  it("have each line once where captions show it again above the next", () => {
    const lines = [
      "WEBVTT",
      "",
      "00:00.000 --> 00:02.000 align:start",
      " ",
      "hello<00:00:00.480><c> and</c>",
      "",
      "00:02.000 --> 00:02.010",
      "hello and",
      " ",
      "",
      "00:02.010 --> 00:04.000",
      "hello and",
      "welcome<00:00:02.560><c> back</c>",
    ];
    expect(cue(...lines).map(({ text }) => text)).toEqual(["hello and", "welcome back"]);
    const twice = ["00:00.000 --> 00:01.000", "Yes.", "", "00:01.000 --> 00:02.000", "Yes."];
    expect(cue(...twice)).toHaveLength(2);
  });

  it("are refused with the line whose time cannot be read", () => {
    expect(() =>
      cue("1", "00:00:01,000 --> 00:00:02,000", "Hi", "2", "00:0O:02,000 --> x"),
    ).toThrow('line 5 of the transcript, "00:0O:02,000 --> x", has no time');
  });

  it("name their speaker by a voice tag or before a colon, and mean what entities say", () => {
    const times = "00:01.000 --> 00:02.000";
    expect(cue(times, "<v.loud Ada>Tom &amp; I &unknown;", "", times, "Ada: Hi")).toEqual([
      { startSec: 1, endSec: 2, speaker: "Ada", text: "Tom & I &unknown;" },
      { startSec: 1, endSec: 2, speaker: "Ada", text: "Hi" },
    ]);
  });
});

it("reads the lines that Whisper prints, and what continues them", () => {
  const text = [
    "Detected language: English",
    "[00:00.000 --> 00:04.000]  (Speaker 1) Hello",
    "there",
    "[00:04.000 --> 00:05.000]  (speaker ?) Hi",
    "[00:05.000 --> 00:06.000]",
    "[00:06.000 --> 00:07.000]  Ada: Bye",
  ];
  expect(parseBracketedCues(text.join("\n"))).toEqual([
    { startSec: 0, endSec: 4, speaker: "Speaker 1", text: "Hello there" },
    { startSec: 4, endSec: 5, speaker: "Speaker ?", text: "Hi" },
    { startSec: 6, endSec: 7, speaker: "Ada", text: "Bye" },
  ]);
});

describe("transcripts in JSON", () => {
  it.each([
    ["segments", { segments: [{ start: 1, end: 2.5, text: " Hello  there " }] }],
    ["a list", [{ start: "1", end: "2.5", text: "Hello there" }]],
    [
      "whisper.cpp",
      {
        transcription: [
          { timestamps: { from: "00:00:01,000", to: "00:00:02,500" }, text: "Hello there" },
        ],
      },
    ],
    ["chunks", { chunks: [{ timestamp: [1, 2.5], text: "Hello there" }] }],
  ])("are read from %s", (_, json) => {
    expect(readTranscriptJson(json)).toEqual({
      format: "whisper-json",
      cues: [{ startSec: 1, endSec: 2.5, text: "Hello there" }],
    });
  });

  it("are read from Podcasting 2.0, with speakers and without silence", () => {
    const segments = [
      { startTime: 0, endTime: 1, body: "Hello", speaker: " Ada  Lovelace " },
      { startTime: 1, endTime: 2, body: " ", speaker: "Ada" },
      { startTime: 2, endTime: 3, body: "Ada: Hi", speaker: " " },
    ];
    expect(readTranscriptJson({ segments })).toEqual({
      format: "podcast-json",
      cues: [
        { startSec: 0, endSec: 1, speaker: "Ada Lovelace", text: "Hello" },
        { startSec: 2, endSec: 3, speaker: "Ada", text: "Hi" },
      ],
    });
  });

  it.each([
    [null],
    [7],
    [{}],
    [{ segments: [] }],
    [{ segments: [{ body: "a" }] }],
    [{ segments: [{ startTime: 1 }] }],
    [{ segments: [{ start: 1 }] }],
    [{ segments: [{ text: "a" }] }],
    [{ segments: [{ startTime: 1, body: "a" }, { body: "b" }] }],
    [{ segments: [{ start: 1, text: "a" }, { text: "b" }] }],
  ])("are no %j", (json) => {
    expect(readTranscriptJson(json)).toBeUndefined();
  });

  it("may have a likelihood that Whisper could not compute", () => {
    const text = '{"segments":[{"start":1,"end":2,"text":"Hi","avg_logprob": NaN}]}';
    expect(readTranscript(text)).toMatchObject({ format: "whisper-json", words: 2 });
  });

  it("say which segment has no text", () => {
    const segments = [
      { startTime: 0, body: "a" },
      { startTime: 1, body: 7 },
    ];
    expect(() => readTranscriptJson({ segments })).toThrow(
      "segment 2 of the transcript has no text",
    );
  });

  it.each([
    [4, 4],
    [0, 0],
    [-1, undefined],
    [Number.NaN, undefined],
    ["12.5", 12.5],
    [" 12 ", 12],
    ["12.", undefined],
    ["a12", undefined],
    ["12s", undefined],
    ["00:01:02,500", 62.5],
    [null, undefined],
  ])("take %j for %j seconds", (value, time) => {
    expect(seconds(value)).toBe(time);
  });
});

it.each([
  ["<html><body>", "is XML or HTML"],
  ["0:00:00.599,0:00:04.160\nHello", "is an SBV subtitle file"],
  ["{\\rtf1", "is a rich-text (RTF) document"],
  ["%PDF-1.7", "is a PDF"],
  ["[Script Info]", "is an SSA/ASS subtitle file"],
  ["Hello\nsoon --> later", "has cue times (-->)"],
  ["name\ttext\nAda\tHello", "is a table of columns (CSV or TSV)"],
  ["name;text\nAda;Hello", "is a table of columns (CSV or TSV)"],
  ['{"segments":', "looks like JSON but is not valid JSON"],
  ['{"a":1}', "is JSON, but not a transcript"],
])("refuses a file that begins with %j", (text, why) => {
  expect(() => readTranscript(text)).toThrow(why);
});

it.each([
  ["2026-11-18T05:00Z", true],
  ["2026-11-18T05:00:01Z", true],
  ["2026-11-18T05:00:01.123456Z", true],
  ["2026-11-18T05:00:01+01:00", true],
  ["2026-11-18T05:00:01+0100", true],
  ["2026-11-18T05:00:01", false],
  ["2026-13-18T05:00:01Z", false],
  [" 2026-11-18T05:00:01Z", false],
  ["2026-11-18T05:00:01Z ", false],
])("%j is a moment: %s", (text, isMoment) => {
  expect(isTimestamp(text)).toBe(isMoment);
});

it("orders moments by time, down to what is below a millisecond", () => {
  const earlier = at("2026-11-18T06:00:00.0001+01:00");
  const later = at("2026-11-18T05:00:00.0002Z");
  expect(compareTimestamps(earlier, later)).toBeLessThan(0);
  expect(compareTimestamps(later, earlier)).toBeGreaterThan(0);
  expect(compareTimestamps(later, later)).toBe(0);
  expect(inUtc(at("2026-11-18T06:00:00+01:00"))).toBe("2026-11-18T05:00:00.000Z");
  expect(inUtc(later)).toBe(later);
});
