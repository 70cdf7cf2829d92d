import { useEffect, useMemo, useState } from "react";
import { diffTexts } from "./diff-texts.ts";
import { LongText } from "./long-text.tsx";
import { blocksOf, type TextBlock } from "./text-blocks.ts";

type Blocks = readonly TextBlock[];

/** Shorter texts are compared faster than a worker starts. */
const mostAtOnce = 4_000;

/** What changed between two texts: paragraphs first, then word by word. */
export function Differences(props: {
  readonly before: string;
  readonly after: string;
  readonly isSmall?: boolean;
}) {
  const blocks = useBlocks(props.before, props.after);
  if (blocks === undefined) {
    return (
      <p className="soft" role="status">
        Comparing…
      </p>
    );
  }
  if (blocks.length === 0) return <p className="soft">The two texts are the same.</p>;
  const className = props.isSmall === true ? "text small" : "text";
  return <LongText blocks={blocks} testId="differences" className={className} />;
}

function useBlocks(before: string, after: string): Blocks | undefined {
  const isShort = before.length + after.length <= mostAtOnce;
  const known = useMemo(
    () => (isShort ? blocksOf(diffTexts(before, after)) : undefined),
    [before, after, isShort],
  );
  const [found, setFound] = useState<Blocks>();
  useEffect(() => {
    setFound(undefined);
    if (isShort) return;
    const worker = new Worker(new URL("./diff-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Blocks>) => setFound(data));
    worker.postMessage([before, after]);
    return () => worker.terminate();
  }, [before, after, isShort]);
  return known ?? found;
}
