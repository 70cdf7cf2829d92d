import { Time } from "../../design/time.tsx";
import type { HistoryEntry } from "./stage-queries.ts";
import styles from "./stages.module.css";

/** Everything that happened to the stage, the newest first. */
export function StageHistory({ history }: { readonly history: readonly HistoryEntry[] }) {
  return (
    <section className="card" aria-label="History">
      <header>
        <h2>History</h2>
      </header>
      {history.length === 0 && <p className="inside soft">No history yet.</p>}
      <ol className={styles.history}>
        {[...history].reverse().map((entry) => {
          const { tone, text } = labelOf(entry.event);
          return (
            <li key={entry.number} className={styles[tone] ?? ""}>
              <span>{text}</span>
              {entry.at !== "" && <Time at={entry.at} />}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

type Tone = "good" | "bad" | "wait" | "plain";

function labelOf(event: HistoryEntry["event"]): { readonly tone: Tone; readonly text: string } {
  switch (event.kind) {
    case "loop-finished": {
      const open = `${event.open_p0} P0, ${event.open_p1} P1 open`;
      return event.accepted
        ? { tone: "good", text: `Loop ${event.loop_id} was accepted` }
        : { tone: "bad", text: `Loop ${event.loop_id} was not accepted: ${open}` };
    }
    case "run-ingested":
      return {
        tone: event.open_p0 + event.open_p1 === 0 ? "good" : "bad",
        text: `Run ${event.run_id} was imported by ${event.by ?? "an unknown person"}: ${event.open_p0} P0, ${event.open_p1} P1`,
      };
    case "findings-imported":
      return { tone: "bad", text: `Findings of ${event.from} were taken over` };
    case "repair-prepared":
      return { tone: "plain", text: `${event.iteration_id} was prepared` };
    case "repair-started":
      return { tone: "plain", text: `The coder began ${event.iteration_id}` };
    case "repair-executed":
      return event.dry_run
        ? { tone: "plain", text: `Dry run of ${event.iteration_id}` }
        : { tone: "wait", text: coderEnd(event) };
    case "decision-given":
      return { tone: "plain", text: `${event.by} decided what was asked: ${event.choice ?? ""}` };
    case "ruling-given": {
      const about = event.finding ?? event.repair;
      return { tone: "plain", text: `${event.by} ruled on ${about}: ${event.reason}` };
    }
    case "assistant-changed":
      return { tone: "plain", text: `${event.by}: the assistant is now at ${event.to}` };
    case "stage-reopened":
      return { tone: "wait", text: `${event.by} reopened it: ${event.reason}` };
    case "stage-closed":
      return { tone: "good", text: `${event.confirmed_by} confirmed and closed it` };
  }
}

function coderEnd(event: Extract<HistoryEntry["event"], { kind: "repair-executed" }>): string {
  const { evidence } = event;
  const remark = evidence === null || evidence === "intact" ? "" : `, ${evidence}`;
  return `The coder ended ${event.iteration_id}: ${event.coder_status}${remark}`;
}
