import type { BlobTextRepo } from "../../../../ports/review-repos.ts";
import { findText, keepText } from "../texts.ts";
import { change, get, together, type Unit } from "../unit.ts";
import { acceptanceRepo, dismissalRepo, notePathRepo } from "./acceptances.ts";
import { gateReviewRepo } from "./gate-reviews.ts";
import { reviewRunRepo, runGateRepo } from "./review-runs.ts";
import type { UnitsOf } from "./units-of.ts";

const blobTextRepo: UnitsOf<BlobTextRepo> = {
  *keep(blob, text) {
    yield* change(
      "INSERT INTO blob_texts (blob, content_text) VALUES (?, ?) ON CONFLICT DO NOTHING",
      blob,
      yield* keepText(text),
    );
  },
  *find(blobs) {
    const texts = yield* together(...[...new Set(blobs)].map(textOf));
    return new Map(texts.flatMap((found) => (found === undefined ? [] : [found])));
  },
};

function* textOf(blob: string): Unit<readonly [blob: string, text: string] | undefined> {
  const row = yield* get<{ content_text: string }>(
    "SELECT content_text FROM blob_texts WHERE blob = ?",
    blob,
  );
  return row && [blob, yield* findText(row.content_text)];
}

export const reviewRepos = {
  runs: reviewRunRepo,
  runGates: runGateRepo,
  gateReviews: gateReviewRepo,
  acceptances: acceptanceRepo,
  dismissals: dismissalRepo,
  notePaths: notePathRepo,
  blobs: blobTextRepo,
};
