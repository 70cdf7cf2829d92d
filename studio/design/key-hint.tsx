import type { ReactNode } from "react";
import styles from "./key-hint.module.css";

/** Says which keys work here, where there is likely to be a keyboard. */
export function KeyHint({ children }: { readonly children: ReactNode }) {
  return <p className={`soft ${styles.hint}`}>{children}</p>;
}
