import type { SettingEntry } from "../../domain/settings/choose-setting.ts";
import type { Json } from "../../domain/values/json.ts";
import type { SettingSources } from "./given-settings.ts";
import { settingTable } from "./setting-table.ts";

/** What the file holds beyond the table: servers, commands, prices, aliases, one entry for each value. */
export function fileEntries({ config }: SettingSources): readonly SettingEntry[] {
  if (config === undefined) return [];
  return leaves(config.file as Json, [])
    .map(({ path, value }) => ({
      ...{ name: path.join("."), value, source: `signoff.yaml:${config.lineOf(path)}` as const },
    }))
    .filter(({ name }) => !Object.hasOwn(settingTable, name) && !listedElsewhere.test(name));
}

const listedElsewhere = /^(?:version|models\.(?:writer|reviewer|judge|analyst|user))$/u;

interface Leaf {
  readonly path: readonly string[];
  readonly value: Json;
}

/** Lists are one value, except prices, where each entry is a separate record. */
function leaves(value: Json, path: readonly string[]): readonly Leaf[] {
  const isPriceList = path.length === 1 && path[0] === "prices";
  if (typeof value !== "object" || value === null || (Array.isArray(value) && !isPriceList)) {
    return [{ path, value }];
  }
  return Object.entries(value).flatMap(([name, member]) =>
    isPriceList ? [{ path: [...path, name], value: member }] : leaves(member, [...path, name]),
  );
}
