import { defined } from "../../domain/values/defined.ts";
import {
  allowListing,
  listOffers,
  type Offer,
  offersToJson,
} from "../../wiring/models/offered-models.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { renderColumns } from "../shell/columns.ts";
import type { Span } from "../shell/lay-out.ts";
import { type JsonFlags, printResult, rootOf } from "../shell/print.ts";
import { runnersFor } from "../shell/runners-for.ts";
import { caution, good, muted } from "../shell/styles.ts";

export interface ModelsFlags extends JsonFlags {
  readonly baseUrl?: string;
}

export async function showModels(cli: CliContext, flags: ModelsFlags): Promise<void> {
  const root = rootOf(cli);
  const asked = defined({ baseUrl: flags.baseUrl });
  const loaded = await settingsFor(cli, { root, flags: asked, quiet: flags.json === true });
  const guard = allowListing(loaded.guard);
  const runnerFor = runnersFor(cli, root, { ...loaded, guard });
  const { settings } = loaded;
  const offers = await listOffers(runnerFor, settings, cli.environment);
  const defaultModel = settings.models.writer.model;
  const rows = offers.flatMap((offer) => rowsOf(offer, defaultModel));
  const isListed = offers.some(({ models }) => models.includes(defaultModel));
  const missing: readonly (readonly Span[])[] = isListed
    ? []
    : [[{ text: "default" }, caution(`${defaultModel} (not offered now)`)]];
  const json = offersToJson(offers, settings);
  printResult(cli, flags, json, (layout) => renderColumns([...rows, ...missing], layout));
}

function rowsOf(
  { provider, models, problem }: Offer,
  chosen: string,
): readonly (readonly Span[])[] {
  if (problem !== undefined) return [[muted(provider), caution(problem)]];
  if (models.length === 0) return [[muted(provider), muted("none yet")]];
  return models.map((model, at) => [
    muted(at === 0 ? provider : ""),
    model === chosen ? good(`${model} (default)`) : { text: model },
  ]);
}
