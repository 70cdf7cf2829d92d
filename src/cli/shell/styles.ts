import { visibleLine } from "../../domain/values/visible.ts";
import type { Span } from "./lay-out.ts";
import type { Style } from "./palette.ts";

const styled =
  (style: Style) =>
  (text: string): Span => ({ text, style });

/** Names and titles have one line, so none of them can write a line of its own. */
export const heading = (text: string): Span => styled("heading")(visibleLine(text));
export const strong = (text: string): Span => styled("strong")(visibleLine(text));
/** A text, which may have several lines and is laid out in a column of its own. */
export const strongText = styled("strong");
export const muted = styled("muted");
export const accent = styled("accent");
export const good = styled("good");
export const bad = styled("bad");
export const caution = styled("caution");
