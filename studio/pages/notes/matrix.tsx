import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useRef,
  useState,
} from "react";
import type { Cell, CellState, MatrixSource } from "./matrix-source.ts";

const rowHeight = 32;
const columnWidth = 36;
const headHeight = 176;
/** More than fit on any screen: a row that leaves lends its elements to one that comes. */
const recycledRows = 80;

/** A small screen has room for either long names or cells. */
function noteColumnWidth(): number {
  return window.innerWidth <= 860 ? 150 : 260;
}

const told: { readonly [state in CellState]: readonly [sign: string, words: string] } = {
  pass: ["✓", "passes"],
  warn: ["!", "has warnings"],
  fail: ["×", "fails"],
  stale: ["~", "is stale"],
  undecided: ["?", "is undecided"],
  not_applicable: ["", "does not apply"],
  unread: ["·", "was never reviewed"],
};

interface Place {
  readonly note: number;
  readonly gate: number;
}

/**
 * Notes × gates. Only the cells on the screen exist; one of them takes the focus and the arrow keys move it, so
 * the whole grid is one stop for the keyboard.
 */
export function Matrix(props: {
  readonly source: MatrixSource;
  readonly onOpen: (note: number, gate: number) => void;
}) {
  const { source, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [noteWidth] = useState(noteColumnWidth);
  const [wished, setAt] = useState<Place>({ note: 0, gate: 0 });
  const at = within(wished, source);
  const { rows, columns } = useVisible(source, scroller, noteWidth);
  const open = useCallback(
    (note: number, gate: number): void => {
      setAt({ note, gate });
      onOpen(note, gate);
    },
    [onOpen],
  );
  const move = (event: KeyboardEvent): void => {
    const next = event.key === "Enter" ? undefined : moved(at, event.key, source);
    if (event.key === "Enter") open(at.note, at.gate);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    rows.scrollToIndex(next.note);
    columns.scrollToIndex(next.gate);
  };
  const shownColumns = columns.getVirtualItems();
  return (
    <div ref={scroller} className="matrix">
      {/* biome-ignore lint/a11y/useSemanticElements: rows are placed by the virtualiser, which a table cannot do */}
      <div
        role="grid"
        aria-label="Notes and gates"
        aria-rowcount={source.notes.length + 1}
        aria-colcount={source.gates.length + 1}
        aria-activedescendant={cellId(at)}
        tabIndex={0}
        onKeyDown={move}
        style={
          {
            height: rows.getTotalSize(),
            width: columns.getTotalSize(),
            "--note-width": `${noteWidth}px`,
          } as CSSProperties
        }
      >
        <MatrixHead gates={source.gates} columns={shownColumns} currentGate={at.gate} />
        {rows.getVirtualItems().map((row) => (
          <MatrixRow
            key={row.index % recycledRows}
            note={row.index}
            top={row.start}
            columns={shownColumns}
            currentGate={at.note === row.index ? at.gate : undefined}
            source={source}
            onOpen={open}
          />
        ))}
      </div>
    </div>
  );
}

/** Which rows and columns are on the screen. */
function useVisible(
  source: MatrixSource,
  scroller: RefObject<HTMLDivElement | null>,
  noteWidth: number,
) {
  const rows = useVirtualizer({
    count: source.notes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    paddingStart: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 3,
    useFlushSync: false,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: source.gates.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => columnWidth,
    paddingStart: noteWidth,
    scrollPaddingStart: noteWidth,
    overscan: 2,
    useFlushSync: false,
  });
  return { rows, columns };
}

function MatrixHead(props: {
  readonly gates: readonly string[];
  readonly columns: readonly VirtualItem[];
  readonly currentGate: number;
}) {
  const { gates, columns, currentGate } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
    <div role="row" aria-rowindex={1} className="matrix-head">
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus */}
      <span role="columnheader" aria-colindex={1} className="matrix-corner">
        Note
      </span>
      {columns.map(({ key, index, start }) => (
        // biome-ignore lint/a11y/useSemanticElements: see the grid
        // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
        <span
          key={key}
          role="columnheader"
          aria-colindex={index + 2}
          title={gates[index]}
          className={`matrix-gate ${index === currentGate ? "current" : ""}`}
          style={{ left: start }}
        >
          <span>{gates[index]}</span>
        </span>
      ))}
    </div>
  );
}

/** Scrolling down changes nothing about rows that are there already, so they are not drawn again. */
const MatrixRow = memo(function MatrixRow(props: {
  readonly note: number;
  readonly top: number;
  readonly columns: readonly VirtualItem[];
  readonly currentGate: number | undefined;
  readonly source: MatrixSource;
  readonly onOpen: (note: number, gate: number) => void;
}) {
  const { note, top, columns, currentGate, source, onOpen } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
    <div
      role="row"
      aria-rowindex={note + 2}
      className="matrix-row"
      style={{ transform: `translateY(${top}px)` }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus */}
      <span role="rowheader" className="matrix-note">
        {source.notes[note]}
      </span>
      {columns.map(({ key, index, start }) => (
        <MatrixCell
          key={key}
          note={note}
          gate={index}
          source={source}
          left={start}
          isCurrent={currentGate === index}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
});

function MatrixCell(props: {
  readonly note: number;
  readonly gate: number;
  readonly source: MatrixSource;
  readonly left: number;
  readonly isCurrent: boolean;
  readonly onOpen: (note: number, gate: number) => void;
}) {
  const { note, gate, source, left, isCurrent, onOpen } = props;
  const cell = source.cell(note, gate);
  const label = `${source.notes[note]}, ${source.gates[gate]}: ${wordsOf(cell)}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid holds the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    <span
      id={cellId({ note, gate })}
      role="gridcell"
      aria-colindex={gate + 2}
      aria-label={label}
      aria-selected={isCurrent}
      className={`matrix-cell ${cell.state}`}
      style={{ left }}
      onClick={() => onOpen(note, gate)}
    >
      {told[cell.state][0]}
    </span>
  );
}

function wordsOf({ state, reason }: Cell): string {
  return reason === undefined ? told[state][1] : `${told[state][1]} (${reason})`;
}

function cellId({ note, gate }: Place): string {
  return `cell-${note}-${gate}`;
}

const steps: { readonly [key: string]: readonly [notes: number, gates: number] } = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [20, 0],
  PageUp: [-20, 0],
};

function moved(at: Place, key: string, source: MatrixSource): Place | undefined {
  const step = steps[key];
  if (step === undefined) return undefined;
  return within({ note: at.note + step[0], gate: at.gate + step[1] }, source);
}

/** The nearest place that is there: fewer notes may be shown than a moment ago. */
function within({ note, gate }: Place, { notes, gates }: MatrixSource): Place {
  const bound = (value: number, length: number): number => Math.max(0, Math.min(value, length - 1));
  return { note: bound(note, notes.length), gate: bound(gate, gates.length) };
}
