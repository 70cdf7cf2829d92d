import { expect, it } from "vitest";
import { preparedFolder } from "../../../tests/support/prepared-folder.ts";
import { newProjectFolder, studioWithoutSocket } from "../../../tests/support/studio.ts";
import { makeNotes } from "../../../tests/support/studio-episode.ts";
import { NotesReview } from "../../http/notes-review.ts";
import type { Engine } from "../../ports/engine.ts";
import { gateReviewKind } from "./gate-kinds.ts";
import { type ReviewRequest, reviewPairs } from "./review-notes.ts";
import type { ReviewEngine } from "./review-runs.ts";

const story = preparedFolder(makeNotes);

/** Programs on one project. */
async function programs(count: number) {
  const root = newProjectFolder();
  story.copyTo(root);
  const open = Array.from({ length: count }, () => studioWithoutSocket(root));
  return Promise.all(
    open.map(async (opening) => {
      const { parts, project } = await opening;
      const tools = await parts.notes.tools();
      const review = (
        more: Partial<ReviewRequest> = {},
        engine: ReviewEngine = parts.notes.engine,
      ) =>
        reviewPairs(tools, engine, {
          ...{ paths: [], gates: [], models: tools.settings.models, strategy: "by-note" },
          ...{ retryUndecided: false, again: true, autoAck: false, allowDirtyGates: true },
          ...{ maxWorkers: 1, by: "Mira" },
          ...{ signal: new AbortController().signal, onProgress: () => undefined },
          confirm: async () => true,
          ...more,
        });
      const runs = () =>
        project.store.read((repos) => repos.runs.list({ limit: 999, kind: gateReviewKind }));
      return { parts, review, runs };
    }),
  );
}

it("asks nothing again that another command has completed since the pairs were found", async () => {
  const [mine, theirs] = await programs(2);
  const before = (await mine!.runs()).length;
  const confirm = async () => {
    await theirs!.review({ limit: 2 });
    return true;
  };
  const { plan, sweep } = await mine!.review({ confirm, limit: 2 });
  expect(plan.calls).toHaveLength(1);
  expect(sweep.completed).toBe(plan.calls.length);
  expect((await mine!.runs()).length - before).toBe(plan.calls.length);
});

it("leaves alone what another command has captured and is about to ask", async () => {
  const [mine, theirs] = await programs(2);
  const { engine } = theirs!.parts.notes;
  let abandoned: number | undefined;
  const submit: Engine["submit"] = async (...given) => {
    abandoned ??= (await mine!.review({ paths: ["notes/cash-closing.md"], limit: 1 })).abandoned;
    return engine.engine.submit(...given);
  };
  const slow: Engine = {
    submit,
    resume: (...given) => engine.engine.resume(...given),
    ending: (...given) => engine.engine.ending(...given),
    cancel: (...given) => engine.engine.cancel(...given),
    answer: (...given) => engine.engine.answer(...given),
    events: (...given) => engine.engine.events(...given),
    findUnfinished: (...given) => engine.engine.findUnfinished(...given),
  };
  const { sweep } = await theirs!.review({ limit: 1 }, { ...engine, engine: slow });
  expect(abandoned).toBe(0);
  expect(sweep).toMatchObject({ completed: 1, failed: 0 });
});

it("two who start a review of one server at once begin one", async () => {
  const [studio] = await programs(1);
  const review = new NotesReview(studio!.parts);
  const wish = { again: true, limit: 1 };
  const { version } = await review.plan(await studio!.parts.notes.tools(), wish);
  const both = await Promise.allSettled(
    [1, 2].map(() => review.start({ ...wish, version }, "Mira")),
  );
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  await expect.poll(() => review.progress.state).toBe("done");
});
