import { notByModel, type Standing } from "../../domain/evidence/standing.ts";
import type { Line } from "../shell/lay-out.ts";
import { accent, bad, caution, good, strong } from "../shell/styles.ts";

/** Every thing with its standing, what is missing below it, and a last line with the counts. */
export function standingLines(standings: readonly Standing[]): readonly Line[] {
  if (standings.length === 0) return ["Nothing has been accepted here yet."];
  const refused = standings.filter(({ accepted }) => !accepted).length;
  const accepted = standings.length - refused;
  const total = `${accepted} accepted, ${refused} not.`;
  return [...standings.flatMap(linesOf), "", refused === 0 ? good(total) : caution(total)];
}

function linesOf(standing: Standing): readonly Line[] {
  const { kind, name, why } = standing;
  const title = [strong(name), ` (${kind.replace("-", " ")}): ${why}`];
  if (standing.accepted) {
    const by = notByModel(standing.deciders);
    const sign = standing.support === "proven" ? good("proven    ") : caution("attested  ");
    return [{ lead: ["  ", sign], spans: [...title, by && caution(`\nNote: ${by}.`)] }];
  }
  const missing = standing.missing.flatMap(({ text, command }) => [
    `\n${text}`,
    command && accent(`\n$ ${command}`),
  ]);
  return [{ lead: ["  ", bad("refused   ")], spans: [...title, ...missing] }];
}
