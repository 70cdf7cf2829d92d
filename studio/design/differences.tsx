import { useMemo } from "react";
import { diffTexts } from "./diff-texts.ts";

/** What changed between two texts, word by word. */
export function Differences({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}) {
  const changes = useMemo(() => diffTexts(before, after), [before, after]);
  if (changes.length === 0) return <p className="soft">The two texts are the same.</p>;
  return (
    <p className="text" data-testid="differences">
      {changes.map(({ kind, text, at }) => {
        if (kind === "added") return <ins key={at}>{text}</ins>;
        return kind === "removed" ? <del key={at}>{text}</del> : <span key={at}>{text}</span>;
      })}
    </p>
  );
}
