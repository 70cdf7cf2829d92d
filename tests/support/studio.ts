import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freezeDraft } from "../../src/domain/drafting/freeze-draft.ts";
import type { RunId } from "../../src/domain/values/ids.ts";
import { type Access, createAccess } from "../../src/http/access.ts";
import { startDraft } from "../../src/orchestration/drafting/start-draft.ts";
import { loadRecipe } from "../../src/wiring/features/recipes.ts";
import { openProject } from "../../src/wiring/project/project.ts";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { loadProjectSettings } from "../../src/wiring/settings/settings.ts";
import {
  type OpenStudio,
  openStudio,
  type PreparedStudio,
  prepareStudio,
} from "../../src/wiring/studio/studio.ts";

const mira = { by: "Mira", knownHow: "flag" };

/** A folder that is removed after the test. */
export function newProjectFolder(): string {
  const root = mkdtempSync(join(tmpdir(), "signoff-studio-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

export interface Story {
  readonly brief: string;
  readonly creator: readonly string[];
  readonly reviewer: readonly string[];
  readonly maxTurns: number;
}

/** A loop whose turns are used up, so that it needs a person. */
export const unsigned: Story = {
  brief: "repair workshops for headphones",
  creator: ["Hear it again.", "Hear it again, for years.", "Repaired, not replaced."],
  reviewer: ["Nobody would guess a repair.", "Still no workshop in it.", "SHIP IT!"],
  maxTurns: 2,
};

export const signed: Story = {
  brief: "a night train to Lisbon",
  creator: ["Sleep through Europe.", "Fall asleep in Hamburg, wake up by the sea."],
  reviewer: ["It could be any train.", "SHIP IT!"],
  maxTurns: 5,
};

/** Runs the story to its end in the folder's own store. */
export async function runStory(root: string, story: Story): Promise<RunId> {
  const { brief, creator, reviewer, maxTurns } = story;
  const file = `${brief.replace(/\W+/gu, "-").slice(0, 40)}.json`;
  writeFileSync(join(root, file), JSON.stringify({ creator, reviewer }));
  const model = `script:${file}`;
  const recipe = await loadRecipe("slogan", root);
  const plan = freezeDraft({ brief, recipe, writer: model, reviewers: [{ model }], maxTurns });
  if (plan.kind !== "planned") throw new Error("The story cannot be run.");
  const project = await openProject({ root, environment: readEnvironment({}) });
  try {
    const { run } = await startDraft(project, { input: plan.input, newId: randomUUID });
    await project.engine.ending(run, new AbortController().signal);
    return run;
  } finally {
    await project.close();
  }
}

export interface SocketlessStudio extends PreparedStudio {
  readonly access: Access;
  /** What the server printed to its own terminal. */
  readonly reported: readonly unknown[];
  /** As an API client with the token. */
  ask(method: string, path: string, body?: unknown, headers?: object): Promise<Response>;
}

/** The whole server without a socket. */
export async function studioWithoutSocket(root: string): Promise<SocketlessStudio> {
  const reported: unknown[] = [];
  const environment = readEnvironment({});
  const prepared = await prepareStudio({
    root,
    environment,
    loaded: await loadProjectSettings({ root, environment, flags: {} }),
    author: mira,
    port: 4400,
    adopt: false,
    report: (error) => reported.push(error),
  });
  onTestFinished(async () => {
    const recorded = prepared.parts.stages.close();
    prepared.project.engine.interrupt("now");
    await prepared.hub.idle();
    await recorded;
    await prepared.project.close();
  });
  const access = createAccess(4400);
  const app = prepared.appFor(access);
  return {
    ...prepared,
    access,
    reported,
    ask: async (method, path, body, headers = {}) =>
      app.request(path, {
        method,
        headers: {
          host: "127.0.0.1:4400",
          authorization: `Bearer ${access.token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: isSentAsIs(body) ? body : JSON.stringify(body), duplex: "half" }),
      }),
  };
}

function isSentAsIs(body: unknown): body is string | ReadableStream {
  return typeof body === "string" || body instanceof ReadableStream;
}

export interface ServedStudio extends OpenStudio {
  readonly origin: string;
  readonly token: string;
}

/** A real server on a free port. */
export async function serveStudio(
  root: string,
  more: {
    readonly adopt?: boolean;
    readonly by?: string;
    /** Of an earlier server, to stand in its place. */
    readonly port?: number;
    readonly env?: { readonly [name: string]: string };
  } = {},
): Promise<ServedStudio> {
  const { adopt = false, by = mira.by, port = 0, env = {} } = more;
  const environment = readEnvironment(env);
  const studio = await openStudio({
    root,
    environment,
    loaded: await loadProjectSettings({ root, environment, flags: {} }),
    author: { by, knownHow: "flag" },
    port,
    adopt,
    report: () => undefined,
  });
  onTestFinished(() => studio.stop("now"));
  const [origin = "", token = ""] = studio.url.split("/#token=");
  return { ...studio, origin, token };
}
