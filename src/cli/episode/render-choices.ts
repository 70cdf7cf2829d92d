import type { Verdict } from "../../domain/drafting/review.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";
import type { AssetDetail } from "../../orchestration/episodes/load-asset.ts";
import { diffDrafts } from "../draft/word-diff.ts";
import { renderAge } from "../shell/amounts.ts";
import type { Line } from "../shell/lay-out.ts";
import type { Palette } from "../shell/palette.ts";
import { muted, strong } from "../shell/styles.ts";
import { commandLine, type TypedHere } from "./typed-here.ts";

type Candidate = AssetDetail["candidates"][number];

/** One text to choose. Candidates that say the same are one choice. */
export interface TextChoice extends Candidate {
  /** From 1, as it is shown. */
  readonly number: number;
  readonly verdict?: Verdict;
  readonly isSelected: boolean;
  /** How many further candidates have the same text. */
  readonly repeats: number;
}

/** Oldest first. Of equal texts the selected one represents all, else the one that was reviewed, else the newest. */
export function choicesOf({ candidates, reviews, selection }: AssetDetail): readonly TextChoice[] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const text = candidate.content.trim();
    groups.set(text, [...(groups.get(text) ?? []), candidate]);
  }
  return [...groups.values()].map((same, at) => {
    const isSelected = (one: Candidate) => one.candidateId === selection?.candidateId;
    const reviewed = same.findLast(({ iteration }) => iteration !== undefined);
    const one = same.find(isSelected) ?? reviewed ?? (same.at(-1) as Candidate);
    const verdict = reviews.find(({ iteration }) => iteration === one.iteration)?.verdict;
    return {
      ...one,
      ...(verdict === undefined ? {} : { verdict }),
      ...{ number: at + 1, isSelected: isSelected(one), repeats: same.length - 1 },
    };
  });
}

interface ChoiceView {
  readonly now: Instant;
  readonly palette: Palette;
  /** Absent where the choice is asked for. */
  readonly typed?: TypedHere;
}

/** The texts of one asset in full, each with its age, author, verdict, what sets it apart, and the command that picks it. */
export function choiceLines(text: AssetDetail, view: ChoiceView): readonly Line[] {
  const { assetId, isTextLocked } = text;
  const { typed } = view;
  const needs = typed === undefined ? "a reason" : '--reason "…"';
  const locked = isTextLocked ? muted(` (locked: another text needs ${needs})`) : undefined;
  const pick = (candidateId: string) =>
    `episode pick --asset-id ${assetId} --candidate-id ${candidateId}`;
  return [
    "",
    [strong(assetId), locked],
    ...choicesOf(text).flatMap((one) => [
      ...oneText(text, one, view),
      typed && !one.isSelected && commandLine(typed(pick(one.candidateId)), "      "),
    ]),
  ];
}

function oneText(
  { selection }: AssetDetail,
  choice: TextChoice,
  { now, palette }: ChoiceView,
): readonly Line[] {
  const { number, content, createdAt, model, iteration, verdict, isSelected, repeats } = choice;
  const facts = [
    `${createdAt.slice(0, 16).replace("T", " ")} (${renderAge(createdAt, now)})`,
    ...(model === undefined ? [] : [model]),
    ...(iteration === undefined ? ["not reviewed"] : [`turn ${iteration}`]),
    ...(verdict === undefined ? [] : [`verdict ${verdict}`]),
    ...(isSelected ? ["selected"] : []),
    ...(repeats === 0 ? [] : [`written ${repeats + 1} times`]),
  ];
  const lead = ["      "];
  const diff =
    selection === undefined || isSelected
      ? undefined
      : diffDrafts(selection.text.trim(), content.trim(), palette);
  return [
    { lead: [strong(`  [${number}] `)], spans: [muted(facts.join(", "))] },
    { lead, spans: [content.trim() === "" ? muted("(empty)") : content.trim()] },
    diff?.kind === "changed" && {
      lead: [...lead, muted("against the selected text: ")],
      spans: diff.spans,
    },
  ];
}

export function choicesToJson(text: AssetDetail): Json {
  const { assetId, selection, isTextLocked } = text;
  return {
    asset_id: assetId,
    selected_candidate_id: selection?.candidateId ?? null,
    is_locked: isTextLocked,
    candidates: choicesOf(text).map((one) => ({
      candidate_id: one.candidateId,
      created_at: one.createdAt,
      model: one.model ?? null,
      iteration: one.iteration ?? null,
      verdict: one.verdict ?? null,
      format: one.format,
      content: one.content,
      is_selected: one.isSelected,
      repeats: one.repeats,
    })),
  };
}

export function previewOf(content: string): string {
  const line = content
    .split("\n")
    .map((one) => one.replace(/^#+\s*/, "").trim())
    .find((one) => one !== "");
  return line === undefined ? "(empty)" : [...line].slice(0, 60).join("");
}
