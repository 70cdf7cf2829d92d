import type { Price } from "../../domain/models/price.ts";
import { shippedPrices } from "../../domain/models/shipped-prices.ts";
import { standInModel } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import {
  allowListing,
  listOffers,
  type Offer,
  offersToJson,
} from "../../wiring/models/offered-models.ts";
import { runnersOf } from "../../wiring/models/runners.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { renderColumns } from "../shell/columns.ts";
import type { Span } from "../shell/lay-out.ts";
import { type JsonFlags, printResult, rootOf } from "../shell/print.ts";
import { caution, good, muted } from "../shell/styles.ts";

export interface ModelsFlags extends JsonFlags {
  readonly baseUrl?: string;
  readonly prices?: boolean;
}

export async function showModels(cli: CliContext, flags: ModelsFlags): Promise<void> {
  const root = rootOf(cli);
  const asked = defined({ baseUrl: flags.baseUrl });
  const loaded = await settingsFor(cli, { root, flags: asked, quiet: flags.json === true });
  const guard = allowListing(loaded.guard);
  const runnerFor = runnersOf({ ...cli, root, loaded: { ...loaded, guard } });
  const { settings } = loaded;
  const offers = await listOffers(runnerFor, settings, cli.environment);
  const { model, source } = settings.models.writer;
  // Outside a terminal the stand-ins write only when asked to.
  const chosen = source === "default" && model === standInModel ? undefined : model;
  const rows = offers.flatMap((offer) => rowsOf(offer, chosen));
  const missing = offers.some(({ models }) => models.some((one) => one === chosen))
    ? []
    : [[{ text: "default" }, missingDefault(chosen)]];
  const json = offersToJson(offers, settings);
  printResult(cli, flags, json, (layout) => renderColumns([...rows, ...missing], layout));
}

function missingDefault(chosen: string | undefined): Span {
  return chosen === undefined
    ? muted("none is set; give --model, or set models.writer (at a terminal the stand-ins fill in)")
    : caution(`${chosen} (not offered now)`);
}

/** Shipped prices age; the project's own are the project's business. */
const oldAfterDays = 180;

export async function showPrices(cli: CliContext, flags: ModelsFlags): Promise<void> {
  const root = rootOf(cli);
  const { settings } = await settingsFor(cli, { root, flags: {}, quiet: flags.json === true });
  const now = Date.parse(clockOf(cli.environment).now());
  const isOld = (read: string) => now - Date.parse(read) > oldAfterDays * 86_400_000;
  const listed: readonly ListedPrice[] = [
    ...settings.prices.map((price) => ({ ...price, isOld: false })),
    ...shippedPrices.map((price) => ({ ...price, isOld: isOld(price.read) })),
  ];
  const json = {
    unit: "micro-dollars per million tokens",
    prices: listed.map((price) => ({
      model: price.model,
      from: price.from,
      input: price.input,
      output: price.output,
      cached_input: price.cachedInput ?? null,
      cache_write: price.cacheWrite ?? null,
      source: price.source ?? null,
      read: price.read ?? null,
      old: price.isOld,
    })),
  };
  const head = ["model", "from", "input", "output", "cached", "cache write", "read"];
  const rows = listed.map(priceRow);
  printResult(cli, flags, json, (layout) => [
    ...renderColumns([head.map(muted), ...rows], layout),
    "Dollars per million tokens of short prompts. Prices in signoff.yaml come first.",
    ...new Set(listed.flatMap(({ source }) => (source === undefined ? [] : `Source: ${source}`))),
  ]);
}

type ListedPrice = Price & { readonly read?: string; readonly isOld: boolean };

function priceRow(price: ListedPrice): readonly Span[] {
  const dollars = (micro: number | undefined) =>
    micro === undefined ? muted("–") : { text: `$${micro / 1_000_000}` };
  const read = price.read ?? "";
  return [
    { text: price.model },
    muted(price.from),
    dollars(price.input),
    dollars(price.output),
    dollars(price.cachedInput),
    dollars(price.cacheWrite),
    price.isOld ? caution(`${read} (old)`) : muted(read),
  ];
}

function rowsOf(
  { provider, models, problem }: Offer,
  chosen: string | undefined,
): readonly (readonly Span[])[] {
  if (problem !== undefined) return [[muted(provider), caution(problem)]];
  if (models.length === 0) return [[muted(provider), muted("none yet")]];
  return models.map((model, at) => [
    muted(at === 0 ? provider : ""),
    model === chosen ? good(`${model} (default)`) : { text: model },
  ]);
}
