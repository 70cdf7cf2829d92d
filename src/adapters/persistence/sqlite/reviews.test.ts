import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { reviewConformance } from "../../../testing/review-conformance.ts";
import { openMemoryStore, openStore } from "./open-store.ts";

describe("reviews in a file", () => {
  for (const { title, run } of reviewConformance) {
    it(title, async () => {
      const folder = mkdtempSync(join(tmpdir(), "signoff-reviews-"));
      const store = openStore({ path: join(folder, "signoff.db"), mode: "write" });
      try {
        await run(store);
      } finally {
        store.close();
        rmSync(folder, { recursive: true });
      }
    });
  }
});

describe("reviews in memory", () => {
  for (const { title, run } of reviewConformance) {
    it(title, async () => {
      const store = openMemoryStore();
      try {
        await run(store);
      } finally {
        store.close();
      }
    });
  }
});
