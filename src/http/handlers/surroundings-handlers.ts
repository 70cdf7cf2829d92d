import { version } from "../../domain/values/version.ts";
import { type HandlersFor, ok } from "../handler.ts";
import { HttpProblem } from "../http-problem.ts";
import type { KnownModels, StudioParts } from "../studio-parts.ts";

type SurroundingsRoutes =
  | `GET /api/v1/${"health" | "models" | "recipes" | "settings"}`
  | "GET /metrics";

export function surroundingsHandlers(parts: StudioParts): HandlersFor<SurroundingsRoutes> {
  return {
    "GET /api/v1/health": async () => {
      const value = await examine(parts);
      return value.status === "healthy" ? { status: 200, value } : { status: 503, value };
    },
    "GET /api/v1/models": async () => {
      const { models, defaultModel } = await knownModels(parts);
      const shown = models.map((model) => ({ ...model, displayName: displayName(model.name) }));
      return ok({ models: shown, defaultModel, count: shown.length });
    },
    "GET /api/v1/recipes": async () => ok({ recipes: await parts.recipes() }),
    "GET /api/v1/settings": async () =>
      ok({ project: parts.root, settings: await parts.settings() }),
    "GET /metrics": async () => ({
      status: 200,
      text: await parts.metrics.text(),
      headers: { "content-type": parts.metrics.contentType },
    }),
  };
}

async function knownModels({ models, report }: StudioParts): Promise<KnownModels> {
  try {
    return await models();
  } catch (cause) {
    report(cause, "models");
    throw new HttpProblem(503, {
      code: "service-unavailable",
      message: "The models cannot be listed: their provider does not answer.",
      hint: "`signoff doctor` checks more.",
      cause,
    });
  }
}

async function examine(parts: StudioParts) {
  const { source, clock } = parts;
  const store = await probe(parts, () =>
    source.store.read((repos) => repos.runs.list({ limit: 1 })),
  );
  const models = await probe(parts, () => parts.models());
  const isHealthy = store.connected && models.connected;
  return {
    status: isHealthy ? ("healthy" as const) : ("degraded" as const),
    version,
    timestamp: clock.now(),
    dependencies: { store, models },
  };
}

/** Details are printed in the server's own terminal; a client learns only that it failed. */
async function probe({ clock, report }: StudioParts, work: () => Promise<unknown>) {
  const before = clock.monotonic();
  try {
    await work();
    return { connected: true, responseTimeMs: Math.round(clock.monotonic() - before) };
  } catch (error) {
    report(error, "health");
    return { connected: false, error: "does not answer" };
  }
}

/** `llama2:7b` → `Llama2 7B`. */
function displayName(name: string): string {
  return name
    .replace(/[:/]/gu, " ")
    .replace(
      /(^|\s|\d)([a-z])/gu,
      (_, before: string, letter: string) => before + letter.toUpperCase(),
    );
}
