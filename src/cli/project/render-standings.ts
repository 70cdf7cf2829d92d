import { notByModel, type Standing } from "../../domain/evidence/standing.ts";
import { renderCount } from "../shell/amounts.ts";
import { copyable } from "../shell/copyable-command.ts";
import type { Line } from "../shell/lay-out.ts";
import { bad, caution, good, heading, muted, strong } from "../shell/styles.ts";

const titles: { readonly [kind in Standing["kind"]]: string } = {
  draft: "Drafts",
  "episode-text": "Texts of episodes",
  note: "Notes",
  "pack-run": "Pack runs",
  stage: "Stages",
};

/** More than this of one kind are counted and not listed, unless they were asked for. */
const mostListed = 20;

/** Every thing by kind with its standing, what is missing below it, and a last line with the counts. */
export function standingLines(standings: readonly Standing[], listAll: boolean): readonly Line[] {
  const kinds = [...Map.groupBy(standings, ({ kind }) => kind)];
  const total = countsOf(standings);
  return [
    ...kinds.flatMap(([kind, of]) => [
      [heading(titles[kind]), muted(`  ${countsOf(of)}`)],
      ...listed(kind, of, listAll ? of.length : mostListed),
      "",
    ]),
    standings.every(({ accepted }) => accepted) ? good(`${total}.`) : caution(`${total}.`),
  ];
}

/** What was refused comes first where not everything is shown. */
function listed(
  kind: Standing["kind"],
  standings: readonly Standing[],
  most: number,
): readonly Line[] {
  if (standings.length <= most) return standings.flatMap(linesOf);
  const shown = standings.filter(({ accepted }) => !accepted).slice(0, most);
  const more = renderCount(standings.length - shown.length, "more", "more");
  return [
    ...shown.flatMap(linesOf),
    {
      lead: ["  "],
      spans: [muted(`and ${more}; `), copyable(`signoff verify ${kind}`), muted(" lists all")],
    },
  ];
}

function countsOf(standings: readonly Standing[]): string {
  const refused = standings.filter(({ accepted }) => !accepted).length;
  return `${standings.length - refused} accepted, ${refused} not`;
}

function linesOf(standing: Standing): readonly Line[] {
  const { name, why } = standing;
  const title = [strong(name), `: ${why}`];
  if (standing.accepted) {
    const by = notByModel(standing.deciders);
    const sign = standing.support === "proven" ? good("proven    ") : caution("attested  ");
    return [{ lead: ["  ", sign], spans: [...title, by && caution(`\nNote: ${by}.`)] }];
  }
  const missing = standing.missing.flatMap(({ text, command }) => [
    `\n${text}`,
    command && "\n",
    command && copyable(`$ ${command}`),
  ]);
  return [{ lead: ["  ", bad("refused   ")], spans: [...title, ...missing] }];
}
