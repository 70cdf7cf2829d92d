import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Call, callsOf, exchangeOf } from "../../api/queries.ts";
import { money, plural, seconds, tokens } from "../../design/amounts.ts";
import { Failure, Loading } from "../../design/states.tsx";
import styles from "./runs.module.css";

/** Every call of a run, with prompt and raw reply one click away. */
export function CallList({ run }: { readonly run: string }) {
  const { data, error, isPending, refetch } = useQuery(callsOf(run));
  const calls = data?.calls ?? [];
  return (
    <section className="card">
      <header>
        <h2>Calls</h2>
        <span className="soft">{plural(calls.length, "call")}</span>
      </header>
      {isPending && <Loading lines={2} />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data !== undefined && calls.length === 0 && (
        <p className="inside soft">No model has been called.</p>
      )}
      <ul className="list">
        {calls.map((call) => (
          <li key={`${call.run_id} ${call.key} ${call.attempt}`}>
            <CallLine call={call} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const tones = { replied: "good", failed: "bad", lost: "bad", started: "busy" } as const;

function CallLine({ call }: { readonly call: Call }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.call}>
        <span className={styles.key}>{call.key}</span>
        <span className={`badge ${tones[call.state]}`}>{call.state}</span>
        <span className="soft number">{call.model}</span>
        <span className="soft number">
          {tokens({ tokens: tokensOf(call), uncounted: 0 })},{" "}
          {call.micro_usd === null ? "price unknown" : money(call.micro_usd)}
          {call.seconds !== null && `, ${seconds(call.seconds)}`}
        </span>
      </summary>
      <div className="inside stack">
        {call.error !== null && (
          <p className="notice bad">
            {call.error.code}: {call.error.message}
          </p>
        )}
        {isOpen && call.state === "replied" && <Words run={call.run_id} callKey={call.key} />}
      </div>
    </details>
  );
}

function tokensOf({ input_tokens, output_tokens }: Call): number | null {
  return input_tokens === null || output_tokens === null ? null : input_tokens + output_tokens;
}

function Words({ run, callKey }: { readonly run: string; readonly callKey: string }) {
  const { data, error, isPending } = useQuery(exchangeOf(run, callKey));
  if (isPending) return <Loading lines={2} />;
  if (error !== null) return <Failure error={error} />;
  return (
    <>
      <Raw title="Instructions" text={data.system} />
      <Raw title="Prompt" text={data.user} />
      <Raw title={`Raw reply of ${data.answered_by}`} text={data.reply} />
    </>
  );
}

function Raw({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="stack tight">
      <h3 className="soft">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="raw" tabIndex={0} aria-label={title}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}
