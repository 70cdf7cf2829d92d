import type { ReviewRepos } from "../../../../ports/review-repos.ts";
import type { Connection } from "../connection.ts";
import { findText, keepText } from "../texts.ts";
import { acceptanceRepo, dismissalRepo, notePathRepo } from "./acceptances.ts";
import { gateReviewRepo } from "./gate-reviews.ts";
import { reviewRunRepo, runGateRepo } from "./review-runs.ts";

export function reviewRepos(connection: Connection): ReviewRepos {
  return {
    runs: reviewRunRepo(connection),
    runGates: runGateRepo(connection),
    gateReviews: gateReviewRepo(connection),
    acceptances: acceptanceRepo(connection),
    dismissals: dismissalRepo(connection),
    notePaths: notePathRepo(connection),
    blobs: {
      async keep(blob, text) {
        connection.run(
          "INSERT INTO blob_texts (blob, content_text) VALUES (?, ?) ON CONFLICT DO NOTHING",
          blob,
          keepText(connection, text),
        );
      },
      async find(blobs) {
        const found = new Map<string, string>();
        for (const blob of new Set(blobs)) {
          const row = connection.get<{ content_text: string }>(
            "SELECT content_text FROM blob_texts WHERE blob = ?",
            blob,
          );
          if (row !== undefined) found.set(blob, findText(connection, row.content_text));
        }
        return found;
      },
    },
  };
}
