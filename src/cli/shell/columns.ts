import { defined } from "../../domain/values/defined.ts";
import { cutToWidth, displayWidth, padToWidth } from "./display-width.ts";
import { type Layout, layOut, type Span } from "./lay-out.ts";
import { stripToLine } from "./strip-control.ts";

/** Rows with aligned columns; the last column takes the rest of the line and wraps inside it, or is cut to fit. */
export function renderColumns(
  rows: readonly (readonly Span[])[],
  layout: Layout,
  { cutsLast = false }: { readonly cutsLast?: boolean } = {},
): readonly string[] {
  const safe = rows.map((row) =>
    row.map((cell, at) =>
      at === row.length - 1 ? cell : { ...cell, text: stripToLine(cell.text) },
    ),
  );
  const count = Math.max(0, ...safe.map((row) => row.length)) - 1;
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(...safe.map((row) => (at < row.length - 1 ? displayWidth(row[at]?.text ?? "") : 0))),
  );
  const left = layout.width - widths.reduce((sum, width) => sum + width + 2, 0);
  const wrapping = cutsLast ? { ...layout, width: Number.POSITIVE_INFINITY } : layout;
  return safe.flatMap((row) => {
    const cell = row.at(-1);
    const text = cutsLast
      ? cutToWidth(stripToLine(cell?.text ?? ""), Math.max(8, left))
      : undefined;
    const last = cell && { ...cell, ...defined({ text }) };
    const lead = row
      .slice(0, -1)
      .map((cell, at) => ({ ...cell, text: `${padToWidth(cell.text, widths[at] ?? 0)}  ` }));
    return layOut([last], wrapping, lead);
  });
}
