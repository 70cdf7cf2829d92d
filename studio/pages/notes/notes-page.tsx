import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useMemo } from "react";
import { defined } from "../../../src/domain/values/defined.ts";
import { useKeys } from "../../app/use-keys.ts";
import { count, plural } from "../../design/amounts.ts";
import { PageTitle } from "../../design/page-title.tsx";
import { Empty, Failure, Loading } from "../../design/states.tsx";
import { FixQueue } from "./fix-queue.tsx";
import { Matrix } from "./matrix.tsx";
import type { Place } from "./matrix-moves.ts";
import { type FilteredMatrix, filterMatrix, foldersOf } from "./matrix-source.ts";
import { matrixOf, reviewProgress } from "./note-queries.ts";
import styles from "./notes.module.css";
import { PairPanel } from "./pair-panel.tsx";
import { PlanDialog } from "./plan-dialog.tsx";

const StalenessChart = lazy(async () => ({
  default: (await import("../../charts/staleness-chart.tsx")).StalenessChart,
}));

export interface NotesSearch {
  readonly folder?: string;
  readonly gate?: string;
  readonly reason?: string;
  readonly model?: string;
  /** The open cell. */
  readonly note?: string;
  readonly of?: string;
  /** A note by its path, as lists of runs name it. */
  readonly path?: string;
  /** The dialog that plans a review is open. */
  readonly plan?: string;
  /** Which pane a small screen shows. */
  readonly view?: string;
}

/** Every note against every gate; what is looked at is part of the address. */
export function NotesPage() {
  const search = useSearch({ from: "/notes" });
  const { data, error, refetch } = useQuery(matrixOf(search.model));
  const { set, matrix, open, move } = useMatrix(search, data);
  const place = placeIn(search, data);
  const opened = useMemo(
    () => indexOf(place?.noteId, place?.gate, matrix),
    [place?.noteId, place?.gate, matrix],
  );
  const close = (): void => set({ note: undefined, of: undefined, path: undefined });
  useKeys({ Escape: place === undefined ? undefined : close });
  const openFinding = (path: string, gate: string): void =>
    set({ note: data?.note_ids[data.notes.indexOf(path)], of: gate, path: undefined }, "push");
  return (
    <div className="page wide">
      <div className="page-head">
        <div>
          <PageTitle>Notes</PageTitle>
          <p className="soft">
            {data === undefined
              ? "Notes against gates"
              : `${count(data.notes.length)} notes, ${count(data.gates.length)} gates`}
          </p>
        </div>
        <button
          type="button"
          className="button primary"
          disabled={matrix === undefined}
          onClick={() => set({ plan: "1" }, "push")}
        >
          Plan a review
        </button>
      </div>
      <ReviewProgress />
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading lines={5} />}
      {data?.notes.length === 0 && (
        <section className="card">
          <Empty title="No notes yet">
            <p>
              <code>signoff notes init</code> writes starter gates. Notes are the Markdown files in
              the folders that <code>notes.roots</code> in signoff.yaml names.
            </p>
          </Empty>
        </section>
      )}
      {data !== undefined && data.notes.length > 0 && matrix !== undefined && (
        <>
          <Filters search={search} data={data} onChange={set} />
          <Legend matrix={matrix} chosen={search.reason} onChoose={(reason) => set({ reason })} />
          {data.problems.length > 0 && <Problems problems={data.problems} />}
          {matrix.notes.length === 0 || matrix.gates.length === 0 ? (
            <section className="card">
              <Empty title="No matching notes" />
            </section>
          ) : (
            <div className={place === undefined ? "" : styles.split}>
              <Matrix
                source={matrix}
                onOpen={open}
                {...(place === undefined ? {} : { onMove: move, ...defined({ opened }) })}
              />
              {place !== undefined && (
                <PairPanel
                  key={`${place.noteId} ${place.gate}`}
                  place={{ ...place, ...defined({ model: search.model }) }}
                  onClose={close}
                />
              )}
            </div>
          )}
          <FixQueue onOpen={openFinding} />
          <Suspense fallback={<Loading />}>
            <StalenessChart model={search.model} />
          </Suspense>
        </>
      )}
      {search.plan !== undefined && matrix !== undefined && (
        <PlanDialog search={search} matrix={matrix} onClose={() => set({ plan: undefined })} />
      )}
    </div>
  );
}

type Data = Parameters<typeof filterMatrix>[0];
type Change = { readonly [Name in keyof NotesSearch]: string | undefined };

function useMatrix(search: NotesSearch, data: Data | undefined) {
  const navigate = useNavigate({ from: "/notes" });
  const { folder, gate, reason } = search;
  const matrix = useMemo(
    () =>
      data === undefined
        ? undefined
        : filterMatrix(data, {
            ...defined({ folder, gate, reason }),
          }),
    [data, folder, gate, reason],
  );
  const set = useCallback(
    (change: Change, how: "replace" | "push" = "replace"): void =>
      void navigate({
        search: (before) => withoutAbsent({ ...before, ...change }),
        replace: how === "replace",
        resetScroll: false,
      }),
    [navigate],
  );
  const go = useCallback(
    (note: number, column: number, how: "replace" | "push"): void => {
      if (matrix === undefined || matrix.cell(note, column).state === "not_applicable") return;
      set({ note: matrix.noteIds[note], of: matrix.gates[column], path: undefined }, how);
    },
    [matrix, set],
  );
  const isOpen = search.note !== undefined;
  // Back closes what was opened, however many cells were looked at meanwhile.
  const open = useCallback(
    (note: number, column: number): void => go(note, column, isOpen ? "replace" : "push"),
    [go, isOpen],
  );
  const move = useCallback(
    (note: number, column: number): void => go(note, column, "replace"),
    [go],
  );
  return { set, matrix, open, move };
}

/** The open cell: by ids, or by the path that a list of runs knows; without a gate, the first that is not passed. */
function placeIn(search: NotesSearch, data: Data | undefined) {
  const { note, of, path } = search;
  if (note !== undefined && of !== undefined) return { noteId: note, gate: of };
  if (path === undefined || data === undefined) return undefined;
  const at = data.notes.indexOf(path);
  const noteId = data.note_ids[at];
  if (noteId === undefined) return undefined;
  const row = data.cells[at] ?? "";
  const open = data.gates.findIndex((_, column) => !"p-".includes(row[column] ?? "-"));
  const gate = of ?? data.gates[Math.max(0, open)];
  return gate === undefined ? undefined : { noteId, gate };
}

/** Where a pair is among the rows and columns that are shown. */
function indexOf(
  noteId: string | undefined,
  gateId: string | undefined,
  matrix: FilteredMatrix | undefined,
): Place | undefined {
  const note = matrix?.noteIds.indexOf(noteId ?? "") ?? -1;
  const gate = matrix?.gates.indexOf(gateId ?? "") ?? -1;
  return note < 0 || gate < 0 ? undefined : { note, gate };
}

function withoutAbsent(search: Change): NotesSearch {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(kept) as NotesSearch;
}

function Filters(props: {
  readonly search: NotesSearch;
  readonly data: Data & { readonly models: readonly string[]; readonly model: string };
  readonly onChange: (change: Change) => void;
}) {
  const { search, data, onChange } = props;
  const folders = useMemo(() => foldersOf(data.notes), [data.notes]);
  const gates = useMemo(() => [...foldersOf(data.gates), ...data.gates].sort(), [data.gates]);
  return (
    <div className={`row ${styles.filters}`}>
      <Choice
        label="Folder"
        all="all folders"
        value={search.folder}
        options={folders}
        onChoose={(folder) => onChange({ folder })}
      />
      <Choice
        label="Gate"
        all="all gates"
        value={search.gate}
        options={gates}
        onChoose={(gate) => onChange({ gate })}
      />
      <Choice
        label="Model"
        all={data.models[0] ?? data.model}
        value={search.model}
        options={data.models.slice(1)}
        onChoose={(model) => onChange({ model })}
      />
    </div>
  );
}

function Choice(props: {
  readonly label: string;
  readonly all: string;
  readonly value: string | undefined;
  readonly options: readonly string[];
  readonly onChoose: (value: string | undefined) => void;
}) {
  const { label, all, value, options, onChoose } = props;
  return (
    <label className="row">
      <span className="soft">{label}</span>
      <select
        className="select"
        value={value ?? ""}
        onChange={({ target }) => onChoose(target.value === "" ? undefined : target.value)}
      >
        <option value="">{all}</option>
        {options.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}

const reasons: readonly (readonly [letter: string, style: string, words: string])[] = [
  ["p", "pass", "pass"],
  ["w", "warn", "warnings"],
  ["f", "fail", "fail"],
  ["m", "unread", "never reviewed"],
  ["n", "stale", "note changed"],
  ["g", "stale", "gate changed"],
  ["u", "undecided", "undecided"],
];

/** What the colours mean, how many there are, and the filter by reason in one. */
function Legend(props: {
  readonly matrix: FilteredMatrix;
  readonly chosen: string | undefined;
  readonly onChoose: (letter: string | undefined) => void;
}) {
  const { matrix, chosen, onChoose } = props;
  return (
    <fieldset className={styles.legend}>
      <legend className="visually-hidden">Show only notes with</legend>
      {reasons.map(([letter, style, words]) => (
        <button
          key={letter}
          type="button"
          className={`${styles.key} ${styles[style] ?? ""}`}
          aria-pressed={chosen === letter}
          onClick={() => onChoose(chosen === letter ? undefined : letter)}
        >
          {words} <strong>{count(matrix.counts.get(letter) ?? 0)}</strong>
        </button>
      ))}
    </fieldset>
  );
}

function Problems(props: {
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}) {
  return (
    <details className="notice wait">
      <summary>{plural(props.problems.length, "note")} cannot be checked</summary>
      <ul>
        {props.problems.map(({ path, message }) => (
          <li key={path}>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </details>
  );
}

function ReviewProgress() {
  const { data } = useQuery(reviewProgress);
  const client = useQueryClient();
  const state = data?.state;
  useEffect(() => {
    if (state === "done" || state === "failed") {
      for (const part of ["matrix", "pair", "work"]) {
        void client.invalidateQueries({ queryKey: ["notes", part] });
      }
    }
  }, [state, client]);
  if (data === undefined || data.state === "idle") return null;
  const tone = data.state === "failed" ? "bad" : data.state === "done" ? "good" : "";
  return (
    <div className={`notice ${tone}`} role="status">
      <span className="row">
        {data.state === "running" && <span className="badge busy">Reviewing</span>}
        {data.state === "done" && <strong>The review is done</strong>}
        {data.state === "failed" && <strong>The review stopped</strong>}
        <span className="soft">
          {count(data.completed)} of {count(data.planned)} calls
          {data.failed > 0 && `, ${data.failed} failed`}
        </span>
      </span>
      {data.message !== null && <span>{data.message}</span>}
    </div>
  );
}
