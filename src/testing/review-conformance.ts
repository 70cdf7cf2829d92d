import assert from "node:assert/strict";
import type { ReviewDecision } from "../domain/gates/decision.ts";
import { type RunId, runId } from "../domain/values/ids.ts";
import type { Repos } from "../ports/repos.ts";
import type {
  AcceptanceRepo,
  NewAcceptance,
  NewGateReview,
  NewReviewRun,
  NoteAcceptances,
} from "../ports/review-repos.ts";
import type { Store } from "../ports/store.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";
import { minute } from "./run-store-stories.ts";

const model = "opus";
const prices = {
  notePath: "notes/prices.md",
  noteBlob: "p1",
  gateId: "prose/calm",
  gateBlob: "g1",
};

const calm = { gateId: prices.gateId, gateBlob: prices.gateBlob, format: "gates/1" };

function newRun(name: string): NewReviewRun {
  return {
    run: runId(name),
    plan: "prices by calm",
    shape: "bundle",
    model,
    askedModel: "opus:latest",
    format: "gates/1",
    createdAt: minute(1),
  };
}

function reviewOf(run: RunId, decision: ReviewDecision, more: Partial<NewGateReview> = {}) {
  const review: NewGateReview = {
    ...{ review: `${run}/0`, run, ...prices, model, decision, text: `It is ${decision}.` },
    ...{ findings: [], at: minute(2) },
  };
  return { ...review, ...more };
}

function accepted(more: Partial<NewAcceptance> = {}): NewAcceptance {
  const given = { kind: "full-review", decision: "pass", format: "gates/1" } as const;
  return { ...prices, model, ...given, at: minute(3), ...more };
}

async function writeRuns(store: Store<Repos>, ...names: readonly string[]): Promise<void> {
  await store.transaction(async ({ reviews }) => {
    for (const name of names) await reviews.runs.insert(newRun(name));
  });
}

const runs: readonly ConformanceCase<Store<Repos>>[] = [
  testCase("numbers review runs from 1 and finds them by id, number and plan", async (store) => {
    await writeRuns(store, "monday", "tuesday");
    await store.read(async ({ reviews }) => {
      assert.equal((await reviews.runs.byNumber(2))?.run, "tuesday");
      assert.deepEqual(await reviews.runs.find(runId("monday")), {
        ...newRun("monday"),
        number: 1,
        state: "running",
      });
      const ofPlan = await reviews.runs.ofPlan("prices by calm");
      assert.deepEqual(
        ofPlan.map(({ number }) => number),
        [1, 2],
      );
      assert.equal(await reviews.runs.find(runId("friday")), undefined);
    });
  }),
  testCase("an ended review run is no longer open and keeps its raw text", async (store) => {
    await writeRuns(store, "monday", "tuesday", "friday");
    await store.transaction(async ({ reviews }) => {
      const end = { answeredModel: "opus-4", rawText: "no blocks", at: minute(5) };
      await reviews.runs.fail(runId("monday"), "unreadable", end);
      await reviews.runs.complete(runId("tuesday"), { at: minute(5) });
    });
    await store.read(async ({ reviews }) => {
      const failed = await reviews.runs.find(runId("monday"));
      assert.deepEqual(
        [failed?.state, failed?.reason, failed?.rawText, failed?.answeredModel],
        ["failed", "unreadable", "no blocks", "opus-4"],
      );
      assert.deepEqual(
        (await reviews.runs.open()).map(({ run }) => run),
        ["friday"],
      );
    });
  }),
  testCase("counts the runs of a sweep by model and outcome", async (store) => {
    await store.transaction(async ({ reviews }) => {
      for (const name of ["monday", "tuesday", "wednesday", "friday"])
        await reviews.runs.insert({ ...newRun(name), batch: "spring" });
      await reviews.runs.insert({ ...newRun("sunday"), batch: "autumn" });
      const end = { answeredModel: "opus-4", at: minute(5) };
      await reviews.runs.complete(runId("monday"), end);
      await reviews.runs.complete(runId("tuesday"), end);
      await reviews.runs.fail(runId("wednesday"), "unreadable", { at: minute(6) });
    });
    await store.read(async ({ reviews }) => {
      const asked = { askedModel: "opus:latest" };
      assert.deepEqual(await reviews.runs.tallyOf("spring"), [
        { ...asked, outcome: "failed", runs: 1 },
        { ...asked, outcome: "open", runs: 1 },
        { ...asked, answeredModel: "opus-4", outcome: "completed", runs: 2 },
      ]);
      const failed = await reviews.runs.failedOf("spring");
      assert.deepEqual(
        failed.map(({ run, reason }) => [run, reason]),
        [["wednesday", "unreadable"]],
      );
      assert.deepEqual(await reviews.runs.failedOf("autumn"), []);
    });
  }),
  testCase("returns the pairs of a run in order and refuses duplicates", async (store) => {
    await writeRuns(store, "monday");
    const second = { ordinal: 1, ...prices, gateId: "prose/plain", noteCommit: "c1" };
    const pairs = [second, { ordinal: 0, ...prices }];
    await store.transaction(({ reviews }) => reviews.runGates.insertMany(runId("monday"), pairs));
    assert.deepEqual(await store.read(({ reviews }) => reviews.runGates.of(runId("monday"))), [
      { ordinal: 0, ...prices },
      second,
    ]);
    const again = store.transaction(({ reviews }) =>
      reviews.runGates.insertMany(runId("monday"), [{ ordinal: 2, ...prices }]),
    );
    await assert.rejects(again);
  }),
];

const reviews: readonly ConformanceCase<Store<Repos>>[] = [
  testCase("returns a review verbatim, with its findings in order", async (store) => {
    await writeRuns(store, "monday");
    const written = reviewOf(runId("monday"), "warn", {
      text: "Zu laut!\r\n\u00a0",
      summary: "Loud.",
      suggestedRevision: "Say it softly.",
      findings: [
        {
          ...{ severity: "warn", message: "shouts", quote: "NOW!", line: 3 },
          ...{ fingerprint: "f1", survivesRewording: true },
        },
        { severity: "info", message: "long", fingerprint: "f2", survivesRewording: false },
      ],
    });
    await store.transaction((repos) => repos.reviews.gateReviews.insert(written));
    const back = await store.read((repos) => repos.reviews.gateReviews.ofRun(runId("monday")));
    assert.deepEqual(back, [{ ...written, seq: 1 }]);
  }),
  testCase("only the newest review of a pair needs work, unless it passed", async (store) => {
    await writeRuns(store, "monday", "tuesday", "friday");
    const work = () =>
      store.read(async (repos) =>
        (await repos.reviews.gateReviews.latestWork()).map(({ run, decision }) => [run, decision]),
      );
    const say = (run: string, decision: ReviewDecision) =>
      store.transaction((repos) =>
        repos.reviews.gateReviews.insert(reviewOf(runId(run), decision)),
      );
    await say("monday", "warn");
    await say("tuesday", "fail");
    assert.deepEqual(await work(), [["tuesday", "fail"]]);
    await say("friday", "pass");
    assert.deepEqual(await work(), []);
  }),
  testCase("lists all decisions of once undecided pairs, oldest first", async (store) => {
    await writeRuns(store, "monday", "tuesday");
    await store.transaction(async (repos) => {
      const { gateReviews } = repos.reviews;
      await gateReviews.insert(reviewOf(runId("monday"), "unknown"));
      await gateReviews.insert(reviewOf(runId("tuesday"), "pass"));
      const other = { review: "other", notePath: "notes/hours.md" };
      await gateReviews.insert(reviewOf(runId("tuesday"), "pass", other));
    });
    const decisions = await store.read((repos) => repos.reviews.gateReviews.ofUndecidedPairs());
    assert.deepEqual(
      decisions.map(({ notePath, decision }) => [notePath, decision]),
      [
        [prices.notePath, "unknown"],
        [prices.notePath, "pass"],
      ],
    );
  }),
];

const acceptances: readonly ConformanceCase<Store<Repos>>[] = [
  testCase("all acceptances of a note are kept, in the order of their pairs", async (store) => {
    await store.transaction(async (repos) => {
      const { acceptances: events } = repos.reviews;
      await events.append(accepted());
      await events.append(accepted({ model: "sonnet", decision: "fail" }));
      await events.append(
        accepted({ noteBlob: "p2", kind: "manual-ack", reason: "typo", by: "Ann" }),
      );
    });
    await store.read(async (repos) => {
      const { acceptances: events } = repos.reviews;
      assert.deepEqual(await byNote(events), [
        {
          notePath: prices.notePath,
          gates: [
            { ...calm, model: "opus", kind: "full-review" },
            { ...calm, model: "opus", kind: "manual-ack" },
            { ...calm, model: "sonnet", kind: "full-review" },
          ],
          noteBlobs: ["p1", "p2", "p1"],
          decisions: ["pass", "pass", "fail"],
        },
      ]);
      await events.datedByNote(async ({ notePath, times }) => {
        assert.equal(notePath, prices.notePath);
        assert.deepEqual(times, [accepted().at, accepted().at, accepted().at]);
      });
      const all = await events.ofNote(prices.notePath);
      assert.deepEqual(
        all.map(({ seq }) => seq),
        [1, 2, 3],
      );
      assert.deepEqual(all[2], {
        ...accepted({ noteBlob: "p2", kind: "manual-ack", reason: "typo", by: "Ann" }),
        seq: 3,
      });
      assert.equal(await events.lastSeq(), 3);
    });
  }),
  testCase("groups acceptances by note", async (store) => {
    const events: readonly Partial<NewAcceptance>[] = [
      { notePath: "notes/b.md", noteBlob: "b1", decision: "warn" },
      { notePath: "notes/a.md", noteBlob: "a1", decision: "fail" },
      { notePath: "notes/c.md", noteBlob: "c1" },
      { notePath: "notes/b.md", noteBlob: "b1", gateId: "prose/brief" },
      { notePath: "notes/b.md", noteBlob: "b2" },
      { notePath: "notes/d.md", noteBlob: "d1", gateBlob: "g2" },
    ];
    await store.transaction(async (repos) => {
      for (const event of events) await repos.reviews.acceptances.append(accepted(event));
    });
    const seen = await store.read(async (repos) =>
      (await byNote(repos.reviews.acceptances)).map(({ notePath, gates, noteBlobs, decisions }) => [
        notePath,
        gates.map(({ gateId, gateBlob }) => `${gateId} ${gateBlob}`),
        noteBlobs,
        decisions,
      ]),
    );
    assert.deepEqual(seen, [
      ["notes/a.md", ["prose/calm g1"], ["a1"], ["fail"]],
      [
        "notes/b.md",
        ["prose/brief g1", "prose/calm g1", "prose/calm g1"],
        ["b1", "b1", "b2"],
        ["pass", "warn", "pass"],
      ],
      ["notes/c.md", ["prose/calm g1"], ["c1"], ["pass"]],
      ["notes/d.md", ["prose/calm g2"], ["d1"], ["pass"]],
    ]);
  }),
  testCase("moving a note moves all its rows and returns their count", async (store) => {
    await writeRuns(store, "monday");
    const moved = await store.transaction(async (repos) => {
      const { runGates, gateReviews, acceptances: events, notePaths } = repos.reviews;
      await runGates.insertMany(runId("monday"), [{ ordinal: 0, ...prices }]);
      await gateReviews.insert(reviewOf(runId("monday"), "pass"));
      await events.append(accepted());
      return notePaths.rekey(prices.notePath, "notes/till/prices.md");
    });
    assert.deepEqual(moved, { runGates: 1, reviews: 1, acceptances: 1, dismissals: 0 });
    await store.read(async (repos) => {
      const { notePaths } = repos.reviews;
      assert.deepEqual(await notePaths.all(), ["notes/till/prices.md"]);
      assert.deepEqual(await notePaths.count("notes/till/prices.md"), moved);
    });
  }),
  testCase("stores a text once by id; unknown ids are absent", async (store) => {
    await store.transaction(async (repos) => {
      await repos.reviews.blobs.keep("p1", "# Prices\n");
      await repos.reviews.blobs.keep("p1", "# Prices\n");
    });
    const found = await store.read((repos) => repos.reviews.blobs.find(["p1", "p2"]));
    assert.deepEqual([...found], [["p1", "# Prices\n"]]);
  }),
];

/** What a store guarantees about reviews. Each case needs an empty store. */
export const reviewConformance: readonly ConformanceCase<Store<Repos>>[] = [
  ...runs,
  ...reviews,
  ...acceptances,
];

async function byNote(acceptances: AcceptanceRepo): Promise<readonly NoteAcceptances[]> {
  const notes: NoteAcceptances[] = [];
  await acceptances.byNote((note) => {
    notes.push(note);
  });
  return notes;
}
