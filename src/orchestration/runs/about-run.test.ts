import { describe, expect, it } from "vitest";
import { placeOfRun, titleOfRun } from "./about-run.ts";

type Record = Parameters<typeof placeOfRun>[0] & Parameters<typeof titleOfRun>[0];

function record(kind: string, input: object, result?: object): Record {
  return {
    run: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
    job: { id: "job", kind, input },
    ...(result === undefined ? {} : { ending: { kind: "finished", result } }),
  } as unknown as Record;
}

const shop = { pack: { pack_id: "shop_pack", title: "The shop's books" } };
const steps = [
  { status: "accepted", criticality: "critical" },
  { status: "partial", criticality: "critical" },
  { status: "accepted", criticality: "info" },
];

describe("what a run is about", () => {
  it("is a pack with its score, and leads to the transcript", () => {
    const run = record("pack", shop, { scenarios: [{ steps }] });
    expect(titleOfRun(run)).toBe("The shop's books: 1 of 2 steps");
    expect(placeOfRun(run)).toEqual({ kind: "pack_run", id: "shop_pack", part: run.run });
    expect(titleOfRun(record("pack", shop))).toBe("The shop's books");
  });

  it("is a text of an episode under the name that people use, and leads to that text", () => {
    const draft = { asset_id: "cms_tags", recipe: { title: "Tags for the website" } };
    const run = record("episode-review", { workspace: "episodes/long_shelf_12", draft });
    expect(titleOfRun(run)).toBe("Tags for the website of long_shelf_12");
    expect(placeOfRun(run)).toMatchObject({ kind: "asset", part: "cms_tags" });
  });

  it("is a note and its gate, a stage, or the notes", () => {
    const review = record("gate-review", { notes: [{ path: "a.md" }], gates: [{ id: "tone" }] });
    expect(titleOfRun(review)).toBe("a.md: tone");
    expect(placeOfRun(review)).toEqual({ kind: "note", id: "a.md", part: "tone" });
    const folder = "artifacts/domain_runs/stage_agent_loops/shop_answers";
    expect(placeOfRun(record("stage-repair", { folder }))).toEqual({
      kind: "stage",
      id: "shop_answers",
    });
    const sweep = record("gate-sweep", { note_table: [{}, {}], gate_table: [{}] });
    expect(titleOfRun(sweep)).toBe("2 notes × 1 gate");
    expect(placeOfRun(sweep)).toEqual({ kind: "notes" });
  });
});
