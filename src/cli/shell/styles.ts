import type { Span } from "./lay-out.ts";
import type { Style } from "./palette.ts";

const styled =
  (style: Style) =>
  (text: string): Span => ({ text, style });

export const heading = styled("heading");
export const strong = styled("strong");
export const muted = styled("muted");
export const accent = styled("accent");
export const good = styled("good");
export const bad = styled("bad");
export const caution = styled("caution");
