import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import styles from "./matrix.module.css";
import { moved, type Place, within } from "./matrix-moves.ts";
import type { Cell, CellState, MatrixSource } from "./matrix-source.ts";

const rowHeight = 32;
const columnWidth = 36;
const headHeight = 176;
const currentCellId = "current-cell";

/** A small screen has room for either long names or cells. */
function noteColumnWidth(): number {
  return window.innerWidth <= 860 ? 150 : 260;
}

const cellLabels: { readonly [state in CellState]: readonly [sign: string, words: string] } = {
  pass: ["✓", "passes"],
  warn: ["!", "has warnings"],
  fail: ["×", "fails"],
  stale: ["~", "is stale"],
  undecided: ["?", "is undecided"],
  not_applicable: ["", "does not apply"],
  unread: ["·", "was never reviewed"],
};

/**
 * Notes × gates. Only the rows on the screen exist; one cell takes the focus and the arrow keys move it, so the
 * whole grid is one stop for the keyboard.
 */
export function Matrix(props: {
  readonly source: MatrixSource;
  readonly onOpen: (note: number, gate: number) => void;
  /** The cell that is open beside the matrix, wherever it was opened. */
  readonly opened?: Place;
  /** Follows the arrow keys while a cell is open beside the matrix. */
  readonly onMove?: (note: number, gate: number) => void;
}) {
  const { source, opened, onOpen, onMove } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [noteWidth] = useState(noteColumnWidth);
  const [wished, setAt] = useState<Place>({ note: 0, gate: 0 });
  const at = within(wished, source);
  const rows = useVisibleRows(source, scroller);
  const show = (place: Place): void => {
    setAt(place);
    rows.scrollToIndex(place.note);
    if (scroller.current !== null) scrollToGate(scroller.current, place.gate, noteWidth);
  };
  const follow = useEffectEvent((place: Place): void => {
    // What the arrow keys open here is current already, and a later key may have gone on from it.
    if (document.activeElement?.getAttribute("role") !== "grid") show(place);
  });
  useEffect(() => {
    if (opened !== undefined) follow(opened);
  }, [opened]);
  const open = ({ note, gate }: Place): void => {
    setAt({ note, gate });
    onOpen(note, gate);
  };
  const click = ({ target }: MouseEvent): void => {
    const place = target instanceof Element ? placeOf(target) : undefined;
    if (place !== undefined) open(place);
  };
  const move = (event: KeyboardEvent): void => {
    const next = event.key === "Enter" ? undefined : moved(at, event, source);
    if (event.key === "Enter") open(at);
    if (next === undefined) return;
    event.preventDefault();
    onMove?.(next.note, next.gate);
    show(next);
  };
  const shown = rows.getVirtualItems();
  const size = {
    height: rows.getTotalSize(),
    width: noteWidth + source.gates.length * columnWidth,
    "--note-width": `${noteWidth}px`,
  } as CSSProperties;
  return (
    <div ref={scroller} className={styles.matrix}>
      <div className={styles.sheet} style={size}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows are placed by the virtualiser, which a table cannot do */}
        <div
          role="grid"
          aria-label="Notes and gates"
          aria-rowcount={source.notes.length + 1}
          aria-colcount={source.gates.length + 1}
          aria-activedescendant={currentCellId}
          tabIndex={0}
          onClick={click}
          onKeyDown={move}
        >
          <MatrixHead gates={source.gates} totals={source.gateTotals} currentGate={at.gate} />
          {shown.map((row) => (
            <MatrixRow
              key={row.index}
              note={row.index}
              top={row.start}
              currentGate={at.note === row.index ? at.gate : undefined}
              source={source}
            />
          ))}
        </div>
        <NoteColumn notes={source.notes} totals={source.noteTotals} rows={shown} />
      </div>
    </div>
  );
}

function useVisibleRows(source: MatrixSource, scroller: RefObject<HTMLDivElement | null>) {
  return useVirtualizer({
    count: source.notes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 3,
    useFlushSync: false,
  });
}

/** Brings a column out from under the notes' names and from beyond the edge. */
function scrollToGate(scroller: HTMLElement, gate: number, noteWidth: number): void {
  const left = gate * columnWidth;
  const room = scroller.clientWidth - noteWidth - columnWidth;
  scroller.scrollLeft = Math.max(left - room, Math.min(scroller.scrollLeft, left));
}

const MatrixHead = memo(function MatrixHead(props: {
  readonly gates: readonly string[];
  readonly totals: readonly number[];
  readonly currentGate: number;
}) {
  const { gates, totals, currentGate } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
    <div role="row" aria-rowindex={1} className={styles.head}>
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus */}
      <span role="columnheader" aria-colindex={1} className={styles.corner}>
        Note
      </span>
      {gates.map((gate, index) => (
        // biome-ignore lint/a11y/useSemanticElements: see the grid
        // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
        <span
          key={gate}
          role="columnheader"
          aria-colindex={index + 2}
          title={gate}
          className={`${styles.gate} ${index === currentGate ? styles.current : ""}`}
        >
          <span>{gate}</span>
          <small aria-hidden="true">{totals[index] || ""}</small>
        </span>
      ))}
    </div>
  );
});

/**
 * The names stay while cells scroll to the side. They are in one sticky column, since a name that stays by
 * itself is a layer of its own to the browser, and thirty of them cost more than all cells; rows own them by id.
 */
function NoteColumn(props: {
  readonly notes: readonly string[];
  readonly totals: readonly number[];
  readonly rows: readonly VirtualItem[];
}) {
  const { notes, totals, rows } = props;
  return (
    <div className={styles.notes}>
      {rows.map(({ index, start }) => (
        // biome-ignore lint/a11y/useSemanticElements: see the grid
        // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
        <span
          key={index}
          id={noteNameId(index)}
          role="rowheader"
          aria-colindex={1}
          className={styles.note}
          style={{ top: start }}
        >
          <span>{notes[index]}</span>
          <small aria-hidden="true">{totals[index] || ""}</small>
        </span>
      ))}
    </div>
  );
}

/** Scrolling changes nothing about rows that are there already, so they are not drawn again. */
const MatrixRow = memo(function MatrixRow(props: {
  readonly note: number;
  readonly top: number;
  readonly currentGate: number | undefined;
  readonly source: MatrixSource;
}) {
  const { note, top, currentGate, source } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
    <div
      role="row"
      aria-rowindex={note + 2}
      aria-owns={noteNameId(note)}
      className={styles.row}
      style={{ top }}
    >
      {source.gates.map((name, gate) => {
        const cell = source.cell(note, gate);
        const isCurrent = currentGate === gate;
        return (
          // biome-ignore lint/a11y/useSemanticElements: see the grid
          // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
          <span
            key={name}
            {...(isCurrent ? { id: currentCellId } : {})}
            role="gridcell"
            aria-colindex={gate + 2}
            aria-label={`${source.notes[note]}, ${name}: ${wordsOf(cell)}`}
            aria-selected={isCurrent}
            className={`${styles.cell} ${styles[cell.state] ?? ""}`}
          >
            {cellLabels[cell.state][0]}
          </span>
        );
      })}
    </div>
  );
});

/** Which cell was hit: one listener serves them all. */
function placeOf(target: Element): Place | undefined {
  const cell = target.closest('[role="gridcell"]');
  const row = target.closest('[role="row"]');
  if (cell === null || row === null) return undefined;
  return { note: Number(row.ariaRowIndex) - 2, gate: Number(cell.ariaColIndex) - 2 };
}

function wordsOf({ state, reason }: Cell): string {
  return reason === undefined ? cellLabels[state][1] : `${cellLabels[state][1]} (${reason})`;
}

function noteNameId(note: number): string {
  return `note-${note}`;
}
