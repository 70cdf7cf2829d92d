import { nearestName } from "../../contract/documents/nearest-name.ts";
import type { SettingEntry } from "../../domain/settings/choose-setting.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { changeConfig, configFileOf } from "../../wiring/settings/config-file.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { renderColumns } from "../shell/columns.ts";
import type { Span } from "../shell/lay-out.ts";
import { type JsonFlags, printJson, printResult, rootOf } from "../shell/print.ts";
import { accent } from "../shell/styles.ts";

export async function showConfig(
  cli: CliContext,
  name: string | undefined,
  flags: JsonFlags,
): Promise<void> {
  const { entries } = await settingsFor(cli, { root: rootOf(cli), quiet: flags.json === true });
  const shown = entries.filter((entry) => isBelow(entry.name, name));
  if (name !== undefined && shown.length === 0) throw unknownSetting(name, entries);
  const rows = shown.map((entry): readonly Span[] => [
    accent(entry.name),
    { text: entry.source, style: entry.source === "default" ? "muted" : "good" },
    { text: valueText(entry) },
  ]);
  const json = { settings: shown.map((entry) => ({ ...entry })) };
  printResult(cli, flags, json, (layout) => renderColumns(rows, layout));
}

export async function setConfig(
  cli: CliContext,
  change: { readonly key: string; readonly value: string },
  flags: JsonFlags,
): Promise<void> {
  const { path, value } = await changeConfig({ root: rootOf(cli), ...change });
  const text = `${change.key} is now ${JSON.stringify(value)} in ${path}.`;
  printResult(cli, flags, { name: change.key, value, path }, text);
}

export async function showConfigPath(cli: CliContext, flags: JsonFlags): Promise<void> {
  const { path, exists } = configFileOf(rootOf(cli));
  if (flags.json === true) return printJson(cli, { path, exists });
  cli.screen.out.write(`${path}\n`);
}

function isBelow(entry: string, name: string | undefined): boolean {
  return name === undefined || entry === name || entry.startsWith(`${name}.`);
}

function valueText({ value, note }: SettingEntry): string {
  const shown = value === null ? (note ?? "not set") : plain(value);
  return value === null || note === undefined ? shown : `${shown} (${note})`;
}

function plain(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function unknownSetting(name: string, entries: readonly SettingEntry[]): ConfigurationError {
  const nearest = nearestName(
    name,
    entries.map((entry) => entry.name),
  );
  return new ConfigurationError(`There is no setting "${name}".`, {
    code: "setting-unknown",
    facts: { name },
    hint: nearest === undefined ? "See `signoff config show`." : `Did you mean ${nearest}?`,
  });
}
