import fc from "fast-check";
import { expect, test } from "vitest";
import { digest } from "../../domain/values/digest.ts";
import { InvalidFile } from "../documents/file-problem.ts";
import { jsonText } from "../documents/json-text.ts";
import { parseCandidateFile } from "./candidate-file.ts";
import { plainTextOf } from "./plain-text.ts";
import { parseProtocolIteration } from "./protocol-files.ts";
import {
  parseSelectionRecord,
  promptId,
  renderSelectionRecord,
  selectionRecordPath,
} from "./provenance-files.ts";
import { parseReviewFile } from "./review-file.ts";
import { parseStateFile } from "./state-file.ts";
import { parseChunkMeta, parseEpisodeSummary } from "./summary-files.ts";

const candidate = {
  asset_id: "slug",
  candidate_id: "5A2089A4-D67D-5A7A-AAD8-2D687A4F3CF2",
  content: "slow-bread",
  created_at: "2026-03-01T10:00:00Z",
};
const review = { iteration: 1, verdict: "ok", created_at: "2026-03-01T10:00:00Z" };
const state = { episode_id: "bread", root_dir: ".", created_at: "2026-03-01T10:00:00Z" };
const issue = { issue_id: "5a2089a4-d67d-5a7a-aad8-2d687a4f3cf2", message: "dry" };

function fault(read: (text: string, file: string) => unknown, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  try {
    read(text, "file.json");
  } catch (error) {
    if (error instanceof InvalidFile) return `${error.problems[0]?.rule} | ${error.message}`;
    throw error;
  }
  return "none";
}

test("a candidate without format is markdown, and its id is written in lower case", () => {
  expect(parseCandidateFile(JSON.stringify(candidate), "c.json")).toMatchObject({
    format: "markdown",
    candidateId: candidate.candidate_id.toLowerCase(),
    provenance: [],
  });
});

test.each<[string, (text: string, file: string) => unknown, unknown, RegExp]>([
  ["broken JSON", parseCandidateFile, "{", /^json \| file\.json.*: is not JSON/],
  ["a review that is no JSON", parseReviewFile, "{", /^json \| file\.json.*: is not JSON/],
  ["a summary that is a list", parseEpisodeSummary, [], /^shape \| file\.json/],
  ["a list", parseStateFile, [], /^shape \| file\.json/],
  ["an unknown key", parseCandidateFile, { ...candidate, mood: 1 }, /mood/],
  [
    "a time without zone",
    parseCandidateFile,
    { ...candidate, created_at: "2026-03-01T10:00:00" },
    /created_at: .*zone|created_at/,
  ],
  [
    "an id that is none",
    parseCandidateFile,
    { ...candidate, candidate_id: "one" },
    /candidate_id: must be a UUID/,
  ],
  ["an unknown verdict", parseReviewFile, { ...review, verdict: "nope" }, /verdict/],
  [
    "an unknown severity",
    parseReviewFile,
    { ...review, issues: [{ ...issue, severity: "nope" }] },
    /issues\[0\]\.severity/,
  ],
  [
    "ok with an issue of default severity",
    parseReviewFile,
    { ...review, issues: [issue] },
    /^ok-without-errors \| file\.json/,
  ],
  [
    "an unknown version",
    parseStateFile,
    { ...state, schema_version: 2 },
    /schema_version: is of a version/,
  ],
  [
    "twice the same asset",
    parseStateFile,
    { ...state, assets: [{ asset_id: "slug" }, { asset_id: "slug" }] },
    /^asset-id-unique \| file\.json: asset "slug" is there twice/,
  ],
  [
    "chapters going back",
    parseStateFile,
    {
      ...state,
      chapters: [
        { title: "A", start_sec: 9 },
        { title: "B", start_sec: 3 },
      ],
    },
    /^chapters-increase/,
  ],
  [
    "another asset's candidate",
    parseStateFile,
    { ...state, assets: [{ asset_id: "mastodon", candidates: [candidate] }] },
    /^candidate-belongs-to-asset/,
  ],
  [
    "a chunk that ends first",
    parseChunkMeta,
    { chunk_id: 1, text_relpath: "x", start_sec: 5, end_sec: 4 },
    /^chunk-end-after-start/,
  ],
  [
    "an iteration with another's review",
    (text, file) => parseProtocolIteration(text, file, "slug"),
    { version: 1, iteration: 2, creator: { done: true, candidate }, reviewer: review },
    /^review-of-this-iteration/,
  ],
])("%s is refused with file, rule and place", (_what, read, value, expected) => {
  expect(fault(read, value)).toMatch(expected);
});

test("equal values are equal bytes, whatever the order of their keys", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const shuffled = JSON.parse(JSON.stringify(value), (_name, item) =>
        item !== null && typeof item === "object" && !Array.isArray(item)
          ? Object.fromEntries(Object.entries(item).reverse())
          : item,
      );
      expect(jsonText(shuffled)).toBe(jsonText(value));
      expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("the words of a text are found in every format", () => {
  for (const [format, text] of [
    ["plain", " Bread & <time>\n"],
    ["markdown", "**Bread** \\& &lt;time>\n"],
    ["html", "<!-- no --><p><em>Bread</em> &amp; &#60;time&#x3E;</p><script>no()</script>\n"],
  ] as const) {
    expect(plainTextOf(format, text)).toBe("Bread & <time>");
  }
  expect(plainTextOf("markdown", "# One\n\n- two\n- [three](https://x.org)\n")).toBe(
    "One\ntwo\nthree",
  );
  expect(plainTextOf("html", "<h1>One</h1>\n<ul><li>two</li><li>three</li></ul>")).toBe(
    "One\ntwo\nthree",
  );
});

test("plain prose reads the same whether or not the parser is asked", () => {
  for (const text of ["Slow bread\n", "One\ntwo\n\n\n3.5 days\n", '\nÄhnlich: "so"']) {
    const parsed = plainTextOf("markdown", `${text}\n\n**end**`);
    expect(`${plainTextOf("markdown", text)}\nend`).toBe(parsed);
  }
});

test("a hostile page is read in no time", () => {
  expect(plainTextOf("html", "<!--".repeat(100_000))).toBe("");
  expect(plainTextOf("html", "<script".repeat(100_000))).toBe("");
});

test("a selection's record says who chose, and reads back", () => {
  const record = {
    assetId: "slug",
    format: "plain",
    madeBy: "person",
    by: "Ada",
    at: "2026-03-01T10:00:00Z",
    reason: "shorter",
    sha256: digest("a".repeat(64)),
  } as never;
  expect(parseSelectionRecord(renderSelectionRecord(record), "s.json")).toEqual(record);
  expect(selectionRecordPath("slug")).toBe("copy/provenance/selections/slug.json");
});

test("the same prompt has the same id", () => {
  const prompt = { template: "creator slug", text: "Write.", context: {} };
  expect(promptId(prompt, (text) => digest(`${text.length}`.padStart(64, "0")))).toBe(
    "creator_slug_000000000000",
  );
});
