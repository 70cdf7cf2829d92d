import { expect, test } from "vitest";
import {
  readChunkSummary,
  readEpisodeSummary,
  writeChunkSummary,
  writeEpisodeSummary,
} from "./summary-reply.ts";

const chunk = {
  summaryMarkdown: "Ada bakes slow bread.\n",
  bullets: ["The dough rests overnight."],
  entities: ["Ada"],
  links: [{ url: "https://example.org", label: "Flour" }, { url: "https://example.org/salt" }],
};

test("what is written is read back the same", () => {
  expect(readChunkSummary(writeChunkSummary(chunk))).toEqual({ kind: "read", value: chunk });
  const whole = {
    summaryMarkdown: "Bread, and time.\n",
    keyPoints: ["Dough rests."],
    topics: ["bread"],
    links: chunk.links,
  };
  expect(readEpisodeSummary(writeEpisodeSummary(whole))).toEqual({ kind: "read", value: whole });
});

test("a reply amid prose counts, lists of another shape are empty, links may be bare", () => {
  const text =
    'Here it is: {"summary_markdown": "Bread.", "bullets": "none", "chunk_id": 9, "links": ["https://example.org"]} Enjoy!';
  expect(readChunkSummary(text)).toEqual({
    kind: "read",
    value: {
      summaryMarkdown: "Bread.\n",
      bullets: [],
      entities: [],
      links: [{ url: "https://example.org" }],
    },
  });
});

test("no object, a cut one and one without a summary are unclear and say why", () => {
  expect(readChunkSummary("Sorry, I cannot.")).toMatchObject({ kind: "unclear" });
  expect(readChunkSummary('{"summary_markdown": "Bread')).toMatchObject({ kind: "unclear" });
  expect(readEpisodeSummary('{"summary_markdown": "  "}')).toEqual({
    kind: "unclear",
    error: 'the JSON object has no text under "summary_markdown"',
  });
});
