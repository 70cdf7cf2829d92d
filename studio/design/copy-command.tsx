import { useState } from "react";
import styles from "./copy-command.module.css";

/** A command as it is typed, and a button that takes it along. */
export function CopyCommand({ command }: { readonly command: string }) {
  const [said, setSaid] = useState("");
  const copy = (): void => {
    navigator.clipboard.writeText(command).then(
      () => setSaid("Copied"),
      () => setSaid("Select it and press Ctrl+C"),
    );
  };
  return (
    <div className={styles.copy}>
      <code>{command}</code>
      <button type="button" className="button" aria-label={`Copy ${command}`} onClick={copy}>
        Copy
      </button>
      <span role="status" className="soft">
        {said}
      </span>
    </div>
  );
}
