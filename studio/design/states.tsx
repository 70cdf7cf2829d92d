import type { ReactNode } from "react";
import { Refused } from "../api/client.ts";
import styles from "./states.module.css";

export function Loading({ lines = 3 }: { readonly lines?: number }) {
  const widths = ["92%", "70%", "84%", "60%", "78%"];
  return (
    <div className="inside stack" role="status">
      <span className="visually-hidden">Loading…</span>
      {widths.slice(0, lines).map((width) => (
        <div key={width} className={styles.skeleton} style={{ width }} />
      ))}
    </div>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** What went wrong, in the server's own words, and how to try again. */
export function Failure({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}) {
  const hint = error instanceof Refused ? error.hint : undefined;
  return (
    <div role="alert" className="notice bad">
      <strong>{error instanceof Error ? error.message : "Something went wrong."}</strong>
      {hint !== undefined && <span>{hint}</span>}
      {onRetry !== undefined && (
        <div>
          <button type="button" className="button" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}
