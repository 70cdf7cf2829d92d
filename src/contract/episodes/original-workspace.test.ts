import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { parseCandidateFile, renderCandidateFile } from "./candidate-file.ts";
import {
  parseProtocolIteration,
  parseProtocolState,
  renderProtocolIteration,
  renderProtocolState,
} from "./protocol-files.ts";
import { parseReviewFile, renderReviewFile } from "./review-file.ts";
import { parseStateFile, renderStateFile } from "./state-file.ts";
import {
  parseChunkMeta,
  parseChunkSummary,
  parseEpisodeSummary,
  renderChunkMeta,
  renderChunkSummary,
  renderEpisodeSummary,
} from "./summary-files.ts";

const root = join(import.meta.dirname, "fixtures/bread-042");
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));

/** Reads and writes a file as the program would. */
function again(file: string, text: string): string | undefined {
  const kinds: readonly (readonly [RegExp, () => string])[] = [
    [/^state\.json$/, () => renderStateFile(parseStateFile(text, file))],
    [/candidate_.*\.json$/, () => renderCandidateFile(parseCandidateFile(text, file))],
    [/reviews\/.*\.json$/, () => renderReviewFile(parseReviewFile(text, file))],
    [/protocol\/[^/]+\/state\.json$/, () => renderProtocolState(parseProtocolState(text, file))],
    [
      /protocol\/([^/]+)\/iteration_\d+\.json$/,
      () => renderProtocolIteration(parseProtocolIteration(text, file, file.split("/")[2]!)),
    ],
    [/chunk_\d+\.json$/, () => renderChunkMeta(parseChunkMeta(text, file))],
    [/\.summary\.json$/, () => renderChunkSummary(parseChunkSummary(text, file))],
    [/episode_summary\.json$/, () => renderEpisodeSummary(parseEpisodeSummary(text, file))],
  ];
  return kinds.find(([pattern]) => pattern.test(file))?.[1]();
}

const known = files.filter(
  (file) => again(file, readFileSync(join(root, file), "utf8")) !== undefined,
);

test("the fixture holds every shape and some files that are not ours", () => {
  expect(known.length).toBeGreaterThan(13);
  expect(files.length).toBeGreaterThan(known.length);
});

test.each(known)("%s of the original program is saved without loss", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const saved = again(file, text)!;
  expect(JSON.parse(saved)).toEqual(JSON.parse(text));
  expect(again(file, saved)).toBe(saved);
  const bytes = text.replace(/\\u([0-9a-f]{4})/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  expect(saved).toBe(bytes.replace(/: (\d+)\.0(,?)$/gm, ": $1$2"));
});

test("offsets and microseconds of times are kept as written", () => {
  const saved = renderStateFile(
    parseStateFile(readFileSync(join(root, "state.json"), "utf8"), "state.json"),
  );
  expect(saved).toContain('"2026-02-03T19:00:00.391835+02:00"');
  expect(saved).toContain("Jörg");
});

test("what the original program fills in is filled in, the same on every reading", () => {
  const state = JSON.stringify({
    ...{ episode_id: "bread", root_dir: "." },
    assets: [
      {
        asset_id: "slug",
        candidates: [{ asset_id: "slug", content: "slow-bread" }],
        reviews: [{ iteration: 1, verdict: "changes_requested", issues: [{ message: "shorter" }] }],
      },
    ],
  });
  const read = parseStateFile(state, "state.json");
  expect(parseStateFile(state, "state.json")).toEqual(read);
  expect(parseStateFile(renderStateFile(read), "state.json")).toEqual(read);
  const [asset] = read.assets;
  expect(asset?.candidates).toMatchObject([
    { candidateId: expect.stringMatching(/^[0-9a-f-]{36}$/), format: "markdown" },
  ]);
  expect(asset?.reviews[0]?.issues).toMatchObject([
    { issueId: expect.stringMatching(/^[0-9a-f-]{36}$/), severity: "error" },
  ]);
  const iteration = {
    iteration: 1,
    creator: { done: false, candidate: { asset_id: "slug", content: "slow-bread" } },
    reviewer: { iteration: 1, verdict: "changes_requested", issues: [{ message: "shorter" }] },
  };
  expect(
    parseProtocolIteration(JSON.stringify(iteration), "iteration_01.json", "slug"),
  ).toMatchObject({
    candidate: asset?.candidates[0],
    review: asset?.reviews[0],
  });
});

test("a candidate's file without an id has that of its name", () => {
  const file = "copy/candidates/slug/candidate_22da6922-e42f-5d0c-a51b-5f56b2c23577.json";
  const text = JSON.stringify({ asset_id: "slug", content: "slow-bread" });
  expect(parseCandidateFile(text, file).candidateId).toBe("22da6922-e42f-5d0c-a51b-5f56b2c23577");
});
