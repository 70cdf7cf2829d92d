import { matrixToJson, stalenessToJson } from "../../contract/http/note-routes.ts";
import { planToJson, statusToJson, workToJson } from "../../contract/http/notes.ts";
import type { Given } from "../../contract/http/route.ts";
import type { Routes } from "../../contract/http/routes.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { loadMatrix } from "../../orchestration/gates/load-matrix.ts";
import { findPair, loadPair, requirePairVersion } from "../../orchestration/gates/load-pair.ts";
import { loadPeriod, loadStaleness } from "../../orchestration/gates/load-staleness.ts";
import { loadWorld } from "../../orchestration/gates/load-world.ts";
import { loadStatus } from "../../orchestration/gates/notes-status.ts";
import type { NotesTools } from "../../orchestration/gates/notes-tools.ts";
import { planView } from "../../orchestration/gates/plan-work.ts";
import {
  acknowledgePairs,
  overridePairs,
  pairMoved,
} from "../../orchestration/gates/rule-pairs.ts";
import {
  alreadyDismissed,
  dismissFinding,
  loadWork,
} from "../../orchestration/gates/warn-queue.ts";
import { type HandlersFor, ok } from "../handler.ts";
import { KnownAnswers } from "../known-answers.ts";
import { NotesReview } from "../notes-review.ts";
import { oneAfterTheOther } from "../one-after-the-other.ts";
import type { StudioParts } from "../studio-parts.ts";

const usualDays = 30;

export function noteHandlers(
  parts: StudioParts,
): HandlersFor<`${"GET" | "POST"} /api/v1/notes${string}`> {
  const { notes } = parts;
  const inTurn = oneAfterTheOther();
  const review = new NotesReview(parts);
  return {
    ...overviewHandlers(parts),
    "GET /api/v1/notes/status": async ({ query }) => {
      const tools = await notes.tools();
      const models = query.model === undefined ? tools.settings.models : [query.model];
      const request = { paths: [], gates: [], models, reasons: [], strictFormat: false };
      const status = await loadStatus(tools, request);
      const microUsd = notes.priceRange(models, status.cost);
      const cost = microUsd === undefined ? status.cost : { ...status.cost, microUsd };
      return { status: 200, wire: statusToJson({ ...status, cost }) };
    },
    "GET /api/v1/notes/pair": async ({ query }) => {
      const tools = await notes.tools();
      const model = judgeOf(tools, query.model);
      return ok(await loadPair(tools, { ...query, model }));
    },
    "POST /api/v1/notes/acknowledge": ({ body, author }) =>
      inTurn(async () => {
        const { tools, world, name, target, act } = await pairAct(parts, {
          ...body,
          by: author.by,
        });
        const { written } = await acknowledgePairs(tools, world, act);
        if (!written && target.state.kind !== "fresh") throw pairMoved(target);
        return ok(await loadPair(await notes.tools(), name));
      }),
    "POST /api/v1/notes/override": ({ body, author }) =>
      inTurn(async () => {
        const { tools, world, name, act } = await pairAct(parts, { ...body, by: author.by });
        await overridePairs(tools, world, { ...act, decision: body.decision });
        return ok(await loadPair(await notes.tools(), name));
      }),
    "POST /api/v1/notes/dismiss": ({ body, author: { by } }) =>
      inTurn(async () => {
        const { fingerprint, reason } = body;
        const tools = await notes.tools();
        await requireOpenFinding(tools, fingerprint);
        const item = await dismissFinding(tools, { fingerprint, reason, by, seenOpen: true });
        return ok({ ...item, dismissed: reason });
      }),
    "POST /api/v1/notes/plan": async ({ body }) => {
      const { plan, acknowledged, models, version } = await review.plan(await notes.tools(), body);
      const microUsd = notes.priceRange(models, plan.cost);
      const cost = microUsd === undefined ? plan.cost : { ...plan.cost, microUsd };
      const view = planToJson(planView({ ...plan, cost }, acknowledged.length));
      return { status: 200, wire: { ...(view as object), version } };
    },
    "POST /api/v1/notes/review": ({ body, author }) =>
      inTurn(async () => ({ status: 202, value: await review.start(body, author.by) })),
    "GET /api/v1/notes/review": async () => ok(review.progress),
  };
}

/** Answers about all notes at once. */
function overviewHandlers({
  notes,
  clock,
}: StudioParts): HandlersFor<`GET /api/v1/notes/${"matrix" | "staleness" | "work"}`> {
  const known = new KnownAnswers(clock);
  return {
    "GET /api/v1/notes/matrix": async ({ query }) => {
      const tools = await notes.tools();
      const model = judgeOf(tools, query.model);
      return known.answer(tools, ["matrix", model], async () =>
        matrixToJson({ models: tools.settings.models, model, ...(await loadMatrix(tools, model)) }),
      );
    },
    "GET /api/v1/notes/staleness": async ({ query }) => {
      const tools = await notes.tools();
      const model = judgeOf(tools, query.model);
      const period = await loadPeriod(tools, query.days ?? usualDays);
      const asked = ["staleness", model, tools.digest(JSON.stringify(period))];
      return known.answer(tools, asked, async () =>
        stalenessToJson({ days: await loadStaleness(tools, model, period) }),
      );
    },
    "GET /api/v1/notes/work": async ({ query }) => {
      const tools = await notes.tools();
      const scope = { paths: [], gates: [], includeDismissed: query.dismissed === "true" };
      return known.answer(tools, ["work", scope], async () => {
        const work = await loadWork(tools, scope);
        const notesToFix = work.map(({ notePath, items }) => ({ note: notePath, findings: items }));
        return workToJson({ notes: notesToFix });
      });
    },
  };
}

type PairRequest = Given<Routes["POST /api/v1/notes/acknowledge"]>["body"] & {
  readonly by: string;
};

/** What a person decides about one pair, if it still is what the person saw. */
async function pairAct(
  parts: StudioParts,
  { noteId, gate, version, reason, ...asked }: PairRequest,
) {
  const tools = await parts.notes.tools();
  const name = { noteId, gate, model: judgeOf(tools, asked.model) };
  const target = await findPair(tools, name);
  requirePairVersion(tools, target, version);
  const world = await loadWorld(tools, { paths: [target.note.path], gates: [gate] });
  const act = {
    ...{ names: [`${target.note.path}:${gate}`], models: [name.model], reason },
    ...{ by: asked.by, dryRun: false },
  };
  return { tools, world, name, target, act };
}

/** The judge asked about, else the first of the settings. Nothing is asked of it here. */
function judgeOf({ settings }: NotesTools, model: string | undefined): string {
  return model ?? settings.models[0] ?? "offline/rules";
}

async function requireOpenFinding(tools: NotesTools, fingerprint: string): Promise<void> {
  const scope = { paths: [], gates: [], includeDismissed: true };
  const all = (await loadWork(tools, scope)).flatMap(({ items }) => items);
  const found = all.find((item) => item.fingerprint === fingerprint);
  if (found === undefined) {
    throw new ConfigurationError("There is no such finding.", {
      code: "finding-unknown",
      facts: { fingerprint },
    });
  }
  if (found.dismissed === undefined) return;
  throw alreadyDismissed(fingerprint, found.dismissed);
}
