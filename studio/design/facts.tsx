import { Fragment } from "react";
import styles from "./facts.module.css";

/** Names and what they stand for, in two columns. */
export function Facts({ of }: { readonly of: readonly (readonly [string, string])[] }) {
  return (
    <dl className={styles.facts}>
      {of.map(([name, text]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
