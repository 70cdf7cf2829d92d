import { ago } from "./amounts.ts";
import styles from "./time.module.css";

export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className={`soft ${styles.time}`}>
      {ago(at)}
    </time>
  );
}
