import { memo, useEffect, useMemo, useState } from "react";
import styles from "./long-text.module.css";
import type { Piece, TextBlock } from "./text-blocks.ts";

/** What is put on the page in one frame, so that none takes long; a block is never divided. */
const mostPieces = 200;
const mostCharacters = 8_000;

/** A text of any length: it is put on the page piece by piece, and the browser lays out only what is seen. */
export function LongText(props: {
  readonly blocks: readonly TextBlock[];
  readonly testId: string;
  readonly className?: string;
}) {
  const { blocks, testId, className = "text" } = props;
  const ends = useMemo(() => endsOf(blocks), [blocks]);
  const [progress, setProgress] = useState({ blocks, slices: 1 });
  const slices = progress.blocks === blocks ? progress.slices : 1;
  const shown = ends[Math.min(slices, ends.length) - 1] ?? 0;
  useEffect(() => {
    if (shown >= blocks.length) return;
    const next = requestAnimationFrame(() => setProgress({ blocks, slices: slices + 1 }));
    return () => cancelAnimationFrame(next);
  }, [shown, slices, blocks]);
  return (
    <div
      className={blocks.length > 1 ? `${className} ${styles.long}` : className}
      data-testid={testId}
      aria-busy={shown < blocks.length}
    >
      {blocks.slice(0, shown).map((block) => (
        <Block key={block.at} block={block} />
      ))}
    </div>
  );
}

/** How many blocks are there after each slice. */
function endsOf(blocks: readonly TextBlock[]): readonly number[] {
  const ends: number[] = [];
  let pieces = 0;
  let characters = 0;
  for (const [at, block] of blocks.entries()) {
    pieces += block.pieces.length;
    characters += block.length;
    if (pieces < mostPieces && characters < mostCharacters) continue;
    ends.push(at + 1);
    pieces = 0;
    characters = 0;
  }
  if (ends.at(-1) !== blocks.length) ends.push(blocks.length);
  return ends;
}

const Block = memo(function Block({ block }: { readonly block: TextBlock }) {
  return <div>{block.pieces.map(shownPiece)}</div>;
});

function shownPiece({ kind, text, at }: Piece) {
  if (kind === "added") return <ins key={at}>{text}</ins>;
  if (kind === "removed") return <del key={at}>{text}</del>;
  return kind === "marked" ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>;
}
