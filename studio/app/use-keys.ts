import { useLayoutEffect, useRef } from "react";
import { hasShortcuts } from "./preferences.ts";

type Actions = { readonly [keys: string]: (() => void) | undefined };

const pauseMillis = 1_000;

/** Single keys, and two in a row such as `g i`. Typing in a field or a dialog is typing. */
export function useKeys(actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  // Before the page is painted: who sees it may press a key.
  useLayoutEffect(() => {
    let before = "";
    let at = 0;
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
      if (!hasShortcuts() && event.key.length === 1) return;
      const both = event.timeStamp - at < pauseMillis ? `${before} ${event.key}` : "";
      const action = latest.current[both] ?? latest.current[event.key];
      before = event.key;
      at = event.timeStamp;
      if (action === undefined) return;
      event.preventDefault();
      before = "";
      action();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

const fields = "input, textarea, select, [role=dialog], [role=menu]";
const pressable = "a, button, summary, [role=tab]";

/** Typing is typing, and Enter on a button presses the button. */
function isTaken({ target, key, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented) return true;
  if (!(target instanceof Element)) return false;
  return target.closest(key === "Enter" ? `${fields}, ${pressable}` : fields) !== null;
}
