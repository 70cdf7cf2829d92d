import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../api/role.ts";
import { plural } from "../../design/amounts.ts";
import { May } from "../../design/may.tsx";
import { DismissDialog } from "./dismiss-dialog.tsx";
import { work } from "./note-queries.ts";
import styles from "./notes.module.css";

const mostNotes = 50;

/** Warnings and failures of current versions, most first. */
export function FixQueue(props: { readonly onOpen: (note: string, gate: string) => void }) {
  const { data } = useQuery(work);
  const mayDecide = useMay("decide");
  const [dismissing, setDismissing] = useState<{
    readonly fingerprint: string;
    readonly message: string;
    readonly survives_rewording: boolean;
  }>();
  if (data === undefined) return null;
  if (data.notes.length === 0 && dismissing === undefined) return null;
  return (
    <section className="card" aria-label="Fix queue">
      <header>
        <h2>To fix</h2>
        <span className="soft">{plural(data.notes.length, "note")}, most findings first</span>
      </header>
      {!mayDecide && (
        <div className="inside">
          <May do="decide">{null}</May>
        </div>
      )}
      <ul className="list">
        {data.notes.slice(0, mostNotes).map(({ note, findings }) => (
          <li key={note} className="inside stack tight">
            <strong className={styles.path}>{note}</strong>
            <ul className="stack tight">
              {findings.map((finding) => (
                <li key={`${finding.fingerprint} ${finding.model}`} className={styles.fix}>
                  <span className={`badge ${finding.severity === "warn" ? "wait" : "bad"}`}>
                    {finding.severity}
                  </span>
                  <span className={styles.said}>
                    <button
                      type="button"
                      className="link"
                      onClick={() => props.onOpen(note, finding.gate)}
                    >
                      {finding.message}
                    </button>{" "}
                    <span className="soft">{finding.gate}</span>
                    {finding.outdated != null && <span className="badge">{finding.outdated}</span>}
                  </span>
                  {mayDecide && (
                    <button type="button" className="button" onClick={() => setDismissing(finding)}>
                      Dismiss<span className="visually-hidden"> {finding.message}</span>
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {data.notes.length > mostNotes && (
        <p className="inside soft">
          {plural(data.notes.length - mostNotes, "more note")}; <code>signoff notes warns</code>{" "}
          lists all.
        </p>
      )}
      {dismissing !== undefined && (
        <DismissDialog finding={dismissing} onClose={() => setDismissing(undefined)} />
      )}
    </section>
  );
}
