import { useLayoutEffect } from "react";

/**
 * Takes the keys that are pressed while a dialog is open that has not got the focus yet, because it is still being
 * loaded: none of them reaches the page behind it, and what was typed is in its field when it appears.
 */
export function useTypedAhead(
  isOpen: boolean,
  onType: (change: (before: string) => string) => void,
  onClose: () => void,
): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isInDialog(event.target)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === "Escape") onClose();
      else if (event.key === "Backspace") onType((before) => before.slice(0, -1));
      else if ([...event.key].length === 1) onType((before) => before + event.key);
    };
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, [isOpen, onType, onClose]);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog]") !== null;
}
