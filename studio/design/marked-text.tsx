import { useMemo } from "react";
import { LongText } from "./long-text.tsx";
import { markQuotes } from "./mark-quotes.ts";
import { blocksOf } from "./text-blocks.ts";

interface Reviewed {
  readonly issues: readonly { readonly quote: string | null }[];
}

/** A text as it is, whatever markup it holds; what its reviewer quoted is marked. */
export function MarkedText(props: {
  readonly text: string;
  readonly review: Reviewed | undefined;
  readonly testId: string;
  readonly isSmall?: boolean;
}) {
  const { text, review, testId, isSmall = false } = props;
  const blocks = useMemo(() => {
    const quotes = review?.issues.flatMap(({ quote }) => quote ?? []) ?? [];
    return blocksOf(markQuotes(text, quotes));
  }, [text, review]);
  const className = isSmall ? "text small" : "text";
  return <LongText blocks={blocks} testId={testId} className={className} />;
}
