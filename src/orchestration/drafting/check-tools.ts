import type { CheckTools } from "../../domain/drafting/checks.ts";
import type { Check } from "../../domain/drafting/recipe.ts";

/** What these checks need. The pattern engine is large, and few recipes have a pattern. */
export async function checkToolsFor(checks: readonly Check[]): Promise<CheckTools> {
  if (!checks.some(({ kind }) => kind === "pattern")) return { matches: () => false };
  const { matchesPattern } = await import("./matches-pattern.ts");
  return { matches: matchesPattern };
}
