import type { Saved } from "../../orchestration/scenarios/save-pack.ts";
import { type Layout, layOut } from "../shell/lay-out.ts";

export function renderSaved(
  { decision, file, published }: Saved,
  layout: Layout,
): readonly string[] {
  if (decision.kind === "refuse") {
    return [
      ...layOut([{ text: "Not saved.", style: "bad" }], layout),
      ...decision.reasons.flatMap((text) => layOut([{ text }], layout, [{ text: "  - " }])),
    ];
  }
  const spans =
    decision.mark === "validated"
      ? [{ text: "Saved", style: "good" as const }, { text: `: ${file}` }]
      : [
          {
            text: "Saved as an unvalidated draft, which proves nothing",
            style: "caution" as const,
          },
          { text: `: ${file}` },
        ];
  return [
    ...layOut(spans, layout),
    ...(decision.mark === "validated" ? [] : decision.failing).flatMap((text) =>
      layOut([{ text }], layout, [{ text: "  - " }]),
    ),
    ...(published === undefined
      ? []
      : layOut(
          published.kind === "published"
            ? [{ text: "Published.", style: "good" }]
            : [{ text: "Not published: ", style: "bad" }, { text: published.why }],
          layout,
        )),
  ];
}
