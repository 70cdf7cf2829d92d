import type { SettingFlags } from "../../contract/config/setting-table.ts";
import { type LoadedSettings, loadProjectSettings } from "../../wiring/settings/settings.ts";
import type { CliContext } from "./cli-context.ts";
import { printErr } from "./print.ts";
import { caution } from "./styles.ts";

export interface SettingsAsked {
  readonly root: string;
  readonly flags?: SettingFlags;
  readonly quiet?: boolean;
}

/** Loads the settings of this invocation and prints warnings about those that have no effect. */
export async function settingsFor(cli: CliContext, asked: SettingsAsked): Promise<LoadedSettings> {
  const { root, flags = {}, quiet = false } = asked;
  const { environment } = cli;
  const trust = cli.globals().trust === true;
  const loaded = await loadProjectSettings({ root, environment, flags, trust });
  if (!quiet) printErr(cli, loaded.notices.map(caution));
  return loaded;
}
