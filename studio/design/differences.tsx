import { memo, useEffect, useMemo, useState } from "react";
import { blocksOf, type Change, diffTexts } from "./diff-texts.ts";
import styles from "./differences.module.css";

/** Shorter texts are compared faster than a worker starts. */
const mostAtOnce = 4_000;
const firstBlocks = 30;

/** What changed between two texts: paragraphs first, then word by word. */
export function Differences(props: { readonly before: string; readonly after: string }) {
  const changes = useChanges(props.before, props.after);
  if (changes === undefined) {
    return (
      <p className="soft" role="status">
        Comparing…
      </p>
    );
  }
  if (changes.length === 0) return <p className="soft">The two texts are the same.</p>;
  return <Blocks changes={changes} />;
}

function useChanges(before: string, after: string): readonly Change[] | undefined {
  const isShort = before.length + after.length <= mostAtOnce;
  const known = useMemo(
    () => (isShort ? diffTexts(before, after) : undefined),
    [before, after, isShort],
  );
  const [found, setFound] = useState<readonly Change[]>();
  useEffect(() => {
    setFound(undefined);
    if (isShort) return;
    const worker = new Worker(new URL("./diff-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<readonly Change[]>) =>
      setFound(data),
    );
    worker.postMessage([before, after]);
    return () => worker.terminate();
  }, [before, after, isShort]);
  return known ?? found;
}

/** A long result is put on the page piece by piece, and the browser lays out only what is seen. */
function Blocks({ changes }: { readonly changes: readonly Change[] }) {
  const blocks = useMemo(() => blocksOf(changes), [changes]);
  const [shown, setShown] = useState(firstBlocks);
  useEffect(() => {
    if (shown >= blocks.length) return;
    const next = setTimeout(() => setShown(shown + firstBlocks), 0);
    return () => clearTimeout(next);
  }, [shown, blocks]);
  return (
    <div className="text" data-testid="differences" aria-busy={shown < blocks.length}>
      {blocks.slice(0, shown).map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks never change their place
        <Block key={at} changes={block} />
      ))}
    </div>
  );
}

const Block = memo(function Block({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <div className={styles.block}>
      {changes.map(({ kind, text, at }) => {
        if (kind === "added") return <ins key={at}>{text}</ins>;
        return kind === "removed" ? <del key={at}>{text}</del> : <span key={at}>{text}</span>;
      })}
    </div>
  );
});
