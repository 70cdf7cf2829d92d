import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { runKinds } from "../../design/run-place.ts";
import { notify } from "../../design/toasts.tsx";
import styles from "./runs.module.css";
import type { RunsSearch, runStates } from "./runs-search.ts";

const states: readonly (readonly [state: (typeof runStates)[number], words: string])[] = [
  ["running", "running"],
  ["queued", "queued"],
  ["waiting", "needs input"],
  ["failed", "failed"],
  ["stopped", "stopped"],
  ["cancelled", "cancelled"],
  ["finished", "finished"],
  ["approved", "approved"],
  ["max_turns", "not approved (limit)"],
  ["accepted", "accepted"],
  ["partial", "partial"],
  ["blocked", "blocked"],
];

const pauseMillis = 250;

/** Everything that is looked for is part of the address, so a link finds it again. */
export function RunFilters({ search }: { readonly search: RunsSearch }) {
  const navigate = useNavigate({ from: "/runs" });
  const set = (change: { readonly [name in keyof RunsSearch]: string | undefined }): void =>
    void navigate({
      search: (before) => {
        const kept = Object.entries({ ...before, ...change }).filter(([, value]) => value);
        return Object.fromEntries(kept) as RunsSearch;
      },
      replace: true,
      resetScroll: false,
    });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <search className={`row ${styles.filters}`} aria-label="Find runs">
      <SearchField value={search.text ?? ""} onChange={(text) => set({ text })} />
      <label className="row">
        <span className="soft">State</span>
        <select
          className="select"
          value={search.state ?? ""}
          onChange={({ target }) => set({ state: target.value })}
        >
          <option value="">any</option>
          {states.map(([state, words]) => (
            <option key={state} value={state}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label className="row">
        <span className="soft">Kind</span>
        <select
          className="select"
          value={search.kind ?? ""}
          onChange={({ target }) => set({ kind: target.value })}
        >
          <option value="">any</option>
          {runKinds.map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <DateField label="From" value={search.since} onChange={(since) => set({ since })} />
      <DateField label="To" value={search.until} onChange={(until) => set({ until })} />
      <label className="row">
        <span className="soft">Cost from $</span>
        <input
          className={`select ${styles.amountField}`}
          inputMode="decimal"
          value={search.cost ?? ""}
          onChange={({ target }) => set({ cost: target.value })}
        />
      </label>
      <label className="row">
        <input
          type="checkbox"
          checked={search.parts === "shown"}
          onChange={({ target }) => set({ parts: target.checked ? "shown" : undefined })}
        />
        <span className="soft">Include parts of runs</span>
      </label>
      {isFiltered && (
        <button
          type="button"
          className="button quiet small"
          onClick={() => {
            void navigate({ search: {}, replace: true });
            const undo = (): void => void navigate({ search, replace: true });
            notify({ title: "Filters cleared", undo });
          }}
        >
          Clear
        </button>
      )}
    </search>
  );
}

function DateField(props: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  return (
    <label className="row">
      <span className="soft">{props.label}</span>
      <input
        type="date"
        className="select"
        value={props.value ?? ""}
        onChange={({ target }) => props.onChange(target.value)}
      />
    </label>
  );
}

/** Asks once a person pauses. */
function SearchField(props: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { value, onChange } = props;
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause
  useEffect(() => {
    if (text === value) return;
    const pause = setTimeout(() => onChange(text), pauseMillis);
    return () => clearTimeout(pause);
  }, [text]);
  return (
    <label className="row">
      <span className="visually-hidden">Search runs</span>
      <input
        type="search"
        className={`select ${styles.searchField}`}
        placeholder="Search titles and ids"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}
