import type { SettingFlags } from "../../contract/config/setting-table.ts";
import { type LoadedSettings, loadSettings } from "../../wiring/settings/settings.ts";
import type { CliContext } from "./cli-context.ts";
import { layOut } from "./lay-out.ts";
import { printLines } from "./screen.ts";
import { caution } from "./styles.ts";

export interface SettingsAsked {
  readonly root: string;
  readonly flags?: SettingFlags;
  readonly quiet?: boolean;
}

/** Settles the settings of this invocation and says what was found and does nothing. */
export async function settingsFor(cli: CliContext, asked: SettingsAsked): Promise<LoadedSettings> {
  const { root, flags = {}, quiet = false } = asked;
  const { environment } = cli;
  const trust = cli.globals().trust === true;
  const loaded = await loadSettings({ root, environment, flags, trust });
  const layout = cli.layoutOf(cli.screen.err);
  const notices = quiet ? [] : loaded.notices;
  for (const text of notices) {
    printLines(cli.screen.err, layOut([caution(text)], layout));
  }
  return loaded;
}
