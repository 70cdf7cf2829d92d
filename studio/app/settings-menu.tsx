import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api/client.ts";
import { sessionInfo } from "../api/queries.ts";
import { useRole } from "../api/role.ts";
import { currentTheme, hasShortcuts, keepShortcuts, keepTheme, type Theme } from "./preferences.ts";
import styles from "./settings-menu.module.css";

const themes = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

/** Everything that was shown is gone from this browser's memory after the reload. */
function signOut(): void {
  void ask("DELETE /api/v1/session", {}).finally(() => window.location.reload());
}

/** What a person sets for this browser alone. */
export function SettingsMenu({ onHelp }: { readonly onHelp: () => void }) {
  const [theme, setTheme] = useState<Theme>(currentTheme());
  const [isOn, setOn] = useState(hasShortcuts);
  const { data: person } = useQuery({ ...sessionInfo, enabled: useRole() !== undefined });
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger className="button small">Settings</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side="top" align="start" sideOffset={6} className={styles.place}>
          <Menu.Popup className={styles.menu}>
            <Menu.Group>
              <Menu.GroupLabel className={styles.label}>Colours</Menu.GroupLabel>
              <Menu.RadioGroup
                value={theme}
                onValueChange={(chosen: Theme) => {
                  keepTheme(chosen);
                  setTheme(chosen);
                }}
              >
                {themes.map(([value, text]) => (
                  <Menu.RadioItem key={value} value={value} className={styles.item}>
                    <Menu.RadioItemIndicator className={styles.mark}>✓</Menu.RadioItemIndicator>
                    {text}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Group>
            <Menu.Separator className={styles.line} />
            <Menu.CheckboxItem
              className={styles.item}
              checked={isOn}
              onCheckedChange={(checked) => {
                keepShortcuts(checked);
                setOn(checked);
              }}
            >
              <Menu.CheckboxItemIndicator className={styles.mark}>✓</Menu.CheckboxItemIndicator>
              Single-key shortcuts
            </Menu.CheckboxItem>
            <Menu.Item className={styles.item} onClick={onHelp}>
              All shortcuts
            </Menu.Item>
            {person !== undefined && (
              <>
                <Menu.Separator className={styles.line} />
                <Menu.Group>
                  <Menu.GroupLabel className={styles.label}>
                    Signed in as {person.name} ({person.role})
                  </Menu.GroupLabel>
                  <Menu.Item className={styles.item} onClick={signOut}>
                    Sign out
                  </Menu.Item>
                </Menu.Group>
              </>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
