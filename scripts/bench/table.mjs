const columns = ["", "ours", "bound", "ratio", "target", "", "bound is"];

/** Figures as lines for the terminal. */
export function tableOf(figures) {
  const rows = [columns, ...figures.map(rowOf)];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  return rows
    .map((row) => row.map((cell, at) => cell.padEnd(widths[at])).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

function rowOf(figure) {
  const { unit, target, boundIs } = figure;
  const amount = (value) => `${rounded(value)} ${unit}`.trim();
  return [
    figure.figure,
    amount(figure.ours),
    amount(figure.bound),
    `${figure.ratio.toFixed(2)} ×`,
    `≤ ${target} ×`,
    standing(figure),
    boundIs,
  ];
}

function rounded(value) {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2);
}

/** A ratio may be missed by a third: machines differ. */
export function standing({ ratio, target }) {
  if (ratio <= target) return "ok";
  return ratio <= (target * 4) / 3 ? "near" : "MISSED";
}

/** Every row of docs/figures.json as a table for docs/performance.md. */
export function markdownTableOf(bench) {
  const head = "| figure | ours | bound | ratio | limit | command |\n|---|---|---|---|---|---|\n";
  const lines = Object.values(bench).flatMap(({ command, figures }) =>
    figures.map((figure) => {
      const { unit, ours, bound, boundIs, ratio, target } = figure;
      const mark = ratio > target ? "**" : "";
      return `| ${figure.figure} | ${rounded(ours)} ${unit} | ${boundIs}: ${rounded(bound)} ${unit} | ${mark}${ratio.toFixed(2)} ×${mark} | ${target} × | \`${command}\` |\n`;
    }),
  );
  return head + lines.join("");
}
