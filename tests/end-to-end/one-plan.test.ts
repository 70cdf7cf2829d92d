import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeDraftInput } from "../../src/contract/drafting/draft-input.ts";
import type { DraftInput } from "../../src/domain/drafting/draft-input.ts";
import { runId } from "../../src/domain/values/ids.ts";
import type { Budget } from "../../src/ports/flow.ts";
import { planAsset } from "../../src/wiring/features/plan-asset.ts";
import { runDraft } from "../../src/wiring/features/run-draft.ts";
import { readStore } from "../../src/wiring/project/project-store.ts";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { loadProjectSettings } from "../../src/wiring/settings/settings.ts";
import { runSignoff } from "../support/signoff-process.ts";
import { newProjectFolder, studioWithoutSocket } from "../support/studio.ts";

const usual = "a night train to Lisbon";

interface Asked {
  readonly brief?: string;
  readonly context?: readonly { readonly name: string; readonly text: string }[];
  readonly from?: string;
  readonly recipe?: string;
  readonly model?: string;
  readonly reviewerModel?: string;
  readonly reviewers?: readonly { readonly label: string; readonly model?: string }[];
  readonly maxTurns?: number;
  readonly candidates?: number;
}

interface Planned {
  readonly input: DraftInput;
  readonly budget: Budget | undefined;
}

/** Each way in, given the same request, starts a run and returns what was frozen for it. */
const doors: { readonly [name: string]: (root: string, asked: Asked) => Promise<Planned> } = {
  async "command line"(root, asked) {
    const { recipe, model, reviewerModel, reviewers = [], maxTurns, candidates } = asked;
    const flags = Object.entries({ recipe, model, maxTurns, candidates });
    const named = flags.flatMap(([name, value]) => (value ? [flagOf(name), String(value)] : []));
    const panel = reviewers.flatMap((each) => [
      "--reviewer",
      each.model === undefined ? each.label : `${each.label}=${each.model}`,
    ]);
    const other = reviewerModel === undefined ? [] : ["--reviewer-model", reviewerModel];
    const { brief = usual, context = [], from } = asked;
    for (const { name, text } of context) writeFileSync(join(root, name), text);
    if (from !== undefined) writeFileSync(join(root, "mine.md"), from);
    const texts = [
      ...context.flatMap(({ name }) => ["--context", name]),
      ...(from === undefined ? [] : ["--from", "mine.md"]),
    ];
    const args = ["draft", "-", "--json", ...named, ...other, ...panel, ...texts];
    const { stdout } = await runSignoff(args, { cwd: root, input: brief });
    return plannedFor(root, (JSON.parse(stdout) as { readonly run_id: string }).run_id);
  },
  async HTTP(root, { maxTurns, reviewerModel, ...asked }) {
    const studio = await studioWithoutSocket(root);
    const body = { brief: usual, ...asked, max_turns: maxTurns, reviewer_model: reviewerModel };
    const answer = await studio.ask("POST", "/api/v1/drafts", body);
    const { run_id } = (await answer.json()) as { readonly run_id: string };
    return plannedFor(root, run_id);
  },
  async library(root, { model, reviewerModel, ...asked }) {
    const models = {
      ...(model === undefined ? {} : { writer: model }),
      ...(reviewerModel === undefined ? {} : { reviewer: reviewerModel }),
    };
    const session = await runDraft({
      ...{ brief: usual, directory: root, models, fresh: true },
      ...asked,
    });
    return plannedFor(root, session.runId);
  },
};

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
}

async function plannedFor(root: string, run: string): Promise<Planned> {
  const place = { root, environment: readEnvironment({}) };
  const job = await readStore(place, async (store) => (await store?.runs.load(runId(run)))?.job);
  if (job === undefined) throw new Error(`No run ${run}.`);
  return { input: decodeDraftInput(job.input), budget: job.budget };
}

const unreachable =
  "providers: { ollama: { base_url: http://127.0.0.1:9 } }\nlimits: { retries: 1 }";
const pitch = `---
id: pitch
title: Pitch
writer: { model: "script:writer.json" }
reviewer: { model: "script:reviewer.json" }
---

## Writer

Write a pitch.

## Reviewer

Judge it.
`;

function makeProject(settings: string): string {
  const root = newProjectFolder();
  mkdirSync(join(root, "signoff/recipes"), { recursive: true });
  writeFileSync(join(root, "signoff.yaml"), `version: 1\n${settings}\n`);
  for (const id of ["pitch", "slug"]) {
    writeFileSync(
      join(root, "signoff/recipes", `${id}.md`),
      pitch.replaceAll("pitch", id).replace("Pitch", id),
    );
  }
  const replies = { creator: ["Sleep through Europe."], reviewer: ["SHIP IT!"] };
  for (const name of ["writer", "reviewer"]) {
    writeFileSync(join(root, `${name}.json`), JSON.stringify(replies));
  }
  return root;
}

interface Case {
  readonly settings: string;
  readonly asked: Asked;
  readonly plan: object;
}

const cases: { readonly [what: string]: Case } = {
  "the recipe's models and the settings' limits": {
    settings: "limits: { budget: { tokens: 5000 } }\ndrafting: { max_turns: 4 }",
    asked: { recipe: "pitch" },
    plan: {
      input: {
        creator: { model: "script:writer.json" },
        reviewers: [{ model: "script:reviewer.json" }],
        maxTurns: 4,
      },
      budget: { tokens: 5000 },
    },
  },
  "a named model for both roles, whatever the settings and the recipe name": {
    settings: `models: { reviewer: offline/rules }\n${unreachable}`,
    asked: { recipe: "pitch", model: "mistral", maxTurns: 2, candidates: 3 },
    plan: {
      input: {
        creator: { model: "ollama/mistral:latest" },
        reviewers: [{ model: "ollama/mistral:latest" }],
        ...{ maxTurns: 2, candidates: 3 },
      },
      budget: undefined,
    },
  },
  "a reviewer at Ollama, so no stand-in writes for it": {
    settings: "limits: { retries: 1 }\nmodels: { aliases: { strict: ollama/strict:7b } }",
    asked: { reviewerModel: "strict" },
    plan: {
      input: {
        creator: { model: "ollama/mistral:latest" },
        reviewers: [{ model: "ollama/strict:7b" }],
      },
    },
  },
  "a panel, where a member without a model has the reviewer's": {
    settings: "models: { writer: offline/rules }",
    asked: { reviewers: [{ label: "brand" }, { label: "legal", model: "offline/rules" }] },
    plan: {
      input: {
        creator: { model: "offline/rules" },
        reviewers: [
          { label: "brand", model: "offline/rules" },
          { label: "legal", model: "offline/rules" },
        ],
      },
    },
  },
};

describe("every way in plans the same draft", () => {
  it("of a long brief, material and a text of one's own", async () => {
    const root = makeProject("models: { writer: offline/rules }");
    const brief = "The night train leaves Hendaye at ten. ".repeat(600).trim();
    const context = [{ name: "fares.txt", text: "Fares start at 39 euros." }];
    for (const door of Object.values(doors)) {
      const { input } = await door(root, { brief, context, from: "Sleep to Lisbon." });
      expect(input).toMatchObject({ brief, context, edited: { text: "Sleep to Lisbon." } });
    }
  });

  it.each(Object.entries(cases))("%s", async (_, { settings, asked, plan }) => {
    const root = makeProject(settings);
    const plans: Planned[] = [];
    for (const door of Object.values(doors)) plans.push(await door(root, asked));
    for (const planned of plans) expect(planned).toMatchObject(plan);
    expect(plans.slice(1)).toEqual(plans.slice(1).map(() => plans[0]));
  });

  it("and an episode takes its texts' models from the same places", async () => {
    const root = makeProject("episodes: { max_iterations: 7 }");
    const { settings } = await loadProjectSettings({
      root,
      environment: readEnvironment({}),
      flags: {},
    });
    const { request } = await planAsset({ root, settings }, { assetId: "slug" });
    expect(request).toMatchObject({
      writer: "script:writer.json",
      reviewers: [{ model: "script:reviewer.json" }],
      recipe: { maxTurns: 7 },
    });
    const agents = { writer: "command/creator-x", reviewer: "command/reviewer-x" };
    const byAgents = await planAsset({ root, settings }, { assetId: "slug", agents });
    expect(byAgents.request).toMatchObject({
      writer: agents.writer,
      reviewers: [{ model: agents.reviewer }],
    });
    const first = await planAsset({ root, settings }, { assetId: "slug", isFirstDraft: true });
    expect(first.request.reviewers).toEqual([{ model: "script:writer.json" }]);
  });
});
