import { listOffers, type Offer, offersToJson } from "../../wiring/models/offered-models.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { renderColumns } from "../shell/columns.ts";
import type { Span } from "../shell/lay-out.ts";
import { printJson, rootOf } from "../shell/print.ts";
import { runnersFor } from "../shell/runners-for.ts";
import { printLines } from "../shell/screen.ts";

export interface ModelsFlags {
  readonly baseUrl?: string;
  readonly json?: boolean;
}

export async function showModels(cli: CliContext, flags: ModelsFlags): Promise<void> {
  const root = rootOf(cli);
  const { baseUrl } = flags;
  const asked = baseUrl === undefined ? {} : { baseUrl };
  const loaded = await settingsFor(cli, { root, flags: asked, quiet: flags.json === true });
  const runnerFor = runnersFor(cli, root, { ...loaded, named: "any" });
  const { settings } = loaded;
  const offers = await listOffers(runnerFor, settings, cli.environment);
  if (flags.json === true) return printJson(cli, offersToJson(offers, settings));
  const defaultModel = settings.models.writer.model;
  const rows = offers.flatMap((offer) => rowsOf(offer, defaultModel));
  const isListed = offers.some(({ models }) => models.includes(defaultModel));
  const missing: readonly (readonly Span[])[] = isListed
    ? []
    : [[{ text: "default" }, { text: `${defaultModel} (not offered now)`, style: "caution" }]];
  printLines(cli.screen.out, renderColumns([...rows, ...missing], cli.layoutOf(cli.screen.out)));
}

function rowsOf(
  { provider, models, problem }: Offer,
  chosen: string,
): readonly (readonly Span[])[] {
  if (problem !== undefined) return [[name(provider), { text: problem, style: "caution" }]];
  if (models.length === 0) return [[name(provider), { text: "none yet", style: "muted" }]];
  return models.map((model, at) => [
    name(at === 0 ? provider : ""),
    model === chosen ? { text: `${model} (default)`, style: "good" } : { text: model },
  ]);
}

function name(text: string): Span {
  return { text, style: "muted" };
}
