import type { JsonFlags } from "./print.ts";

export interface QuietFlags extends JsonFlags {
  readonly quiet?: boolean;
}

/** Nothing but the result is printed. */
export function isQuiet({ json, quiet }: QuietFlags): boolean {
  return json === true || quiet === true;
}
