import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, useEffect } from "react";
import styles from "./dialog.module.css";

/** Keeps the focus inside while it is open and gives it back afterwards; Escape closes it. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  useReturnedFocus();
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.popup}>
          <Base.Title>{props.title}</Base.Title>
          {props.children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** To where the person was; a dialog without a trigger of its own cannot know it otherwise. */
function useReturnedFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement) queueMicrotask(() => before.focus());
    };
  }, []);
}
