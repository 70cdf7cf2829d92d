import fc from "fast-check";
import { expect, test } from "vitest";
import type { Candidate } from "../../domain/drafting/candidate.ts";
import type { ProvenanceRef } from "../../domain/drafting/provenance.ts";
import type { Review } from "../../domain/drafting/review.ts";
import { type Asset, emptyAsset } from "../../domain/episodes/asset.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import type { EpisodeWorkspace } from "../../domain/episodes/episode-workspace.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";
import { parseStateFile, renderStateFile } from "./state-file.ts";

const time = fc
  .record({
    at: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
    zone: fc.constantFrom("Z", "+02:00", "-05:30"),
  })
  .map(({ at, zone }) => instant(at.toISOString().replace("Z", zone)));
const text = fc.string({ unit: "grapheme", maxLength: 20 });
const some = fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 });
const option = <Name extends string, Value>(name: Name, value: fc.Arbitrary<Value>) =>
  fc
    .option(value, { nil: undefined })
    .map((item) => (item === undefined ? {} : { [name]: item }) as { [key in Name]?: Value });
const provenance: fc.Arbitrary<readonly ProvenanceRef[]> = fc.array(
  fc
    .tuple(
      some,
      some,
      option("createdAt", time),
      fc.dictionary(text, fc.jsonValue({ maxDepth: 2 })),
    )
    .map(([kind, ref, at, metadata]) => ({
      kind,
      ref,
      ...at,
      metadata: JSON.parse(JSON.stringify(metadata)) as { [name: string]: Json },
    })),
  { maxLength: 2 },
);

const candidateOf = (assetId: string): fc.Arbitrary<Candidate> =>
  fc.record({
    candidateId: fc.uuid(),
    assetId: fc.constant(assetId),
    format: fc.constantFrom("markdown", "plain", "html"),
    content: text,
    createdAt: time,
    provenance,
  });

const reviewOf = (iteration: number): fc.Arbitrary<Review> =>
  fc
    .tuple(
      fc.constantFrom("changes_requested", "needs_human"),
      option("reviewer", some),
      option("summary", text),
      time,
      provenance,
      fc.array(fc.tuple(fc.uuid(), text, option("code", text), option("field", text)), {
        maxLength: 2,
      }),
    )
    .map(([verdict, reviewer, summary, createdAt, refs, issues]) => ({
      iteration,
      verdict,
      ...reviewer,
      ...summary,
      createdAt,
      provenance: refs,
      issues: issues.map(([issueId, message, code, field]) => ({
        issueId,
        severity: "error" as const,
        message,
        ...code,
        ...field,
        reviewer: reviewer.reviewer ?? "reviewer",
        late: false,
      })),
    }));

const assetOf = (assetId: string): fc.Arbitrary<Asset> =>
  fc
    .tuple(
      fc.uniqueArray(candidateOf(assetId), { selector: (one) => one.candidateId, maxLength: 3 }),
      fc
        .uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 3 })
        .chain((numbers) => fc.tuple(...numbers.sort((a, b) => a - b).map(reviewOf))),
      fc.nat(),
    )
    .map(([candidates, reviews, at]) => ({
      ...emptyAsset(assetId),
      candidates,
      reviews,
      ...(candidates.length === 0
        ? {}
        : { selectedCandidateId: candidates[at % candidates.length]!.candidateId }),
    }));

const workspace: fc.Arbitrary<EpisodeWorkspace> = fc
  .tuple(
    fc.subarray([...assetKinds, "press_release"]).chain((ids) => fc.tuple(...ids.map(assetOf))),
    fc.uniqueArray(
      fc.double({ min: 0, max: 1e5, noNaN: true }).map((sec) => sec + 0),
      { maxLength: 4 },
    ),
    option("auphonicProductionUuid", some),
    time,
    provenance,
  )
  .map(([assets, starts, production, createdAt, refs]) => ({
    episodeId: "bread_042",
    rootDir: ".",
    assets,
    chapters: starts.sort((a, b) => a - b).map((startSec) => ({ title: "Flour", startSec })),
    tracks: [{ trackId: "ada_01", path: "a.flac", role: "mix", provenance: refs }],
    ...production,
    createdAt,
    provenance: refs,
  }));

test("whatever a workspace holds is read back as it was, and rendered to the same bytes", () => {
  fc.assert(
    fc.property(workspace, (episode) => {
      const stored = renderStateFile(episode);
      const read = parseStateFile(stored, "state.json");
      expect(read).toEqual(episode);
      expect(renderStateFile(read)).toBe(stored);
    }),
    { numRuns: 60 },
  );
});
