import { describeVote } from "../../domain/drafting/panel.ts";
import type { AssetStatus } from "../../domain/episodes/asset-status.ts";
import type { ChecklistItem, EpisodeStatus } from "../../domain/episodes/episode-status.ts";
import { isAccepted, type TextState, textStateWords } from "../../domain/episodes/text-standing.ts";
import type { Decider } from "../../domain/evidence/standing.ts";
import { renderCount } from "../shell/amounts.ts";
import { padToWidth } from "../shell/display-width.ts";
import type { Lead, Line, Span } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { caution, good, heading, muted, strong } from "../shell/styles.ts";
import { commandLine, type TypedHere } from "./typed-here.ts";

const styles: { readonly [state in ChecklistItem["state"]]: Style } = {
  ok: "good",
  missing: "caution",
  incomplete: "caution",
  stale: "bad",
  optional: "muted",
  blocked: "bad",
};

/** An episode on one screen: its material, the state of each text, and what to type next. */
export function episodeStatusLines(
  status: EpisodeStatus,
  { workspace, typed }: { readonly workspace: string; readonly typed: TypedHere },
): readonly Line[] {
  const started = status.assets.filter((asset) => asset.candidates > 0 || asset.iteration > 0);
  return [
    [heading(`Episode ${status.episodeId ?? "?"}`), muted(` in ${workspace}`)],
    ...section(
      "Checklist",
      status.checklist.map(({ state, detail, label }) => ({
        lead: lead(label),
        spans: [{ text: state, style: styles[state] }, detail && `  ${detail}`],
      })),
    ),
    ...section(
      "Tracks",
      status.tracks.map(({ trackId, path, role }) => ({
        lead: lead(trackId),
        spans: [path, role && ` (${role})`],
      })),
    ),
    ...section("Texts", started.flatMap(assetLines)),
    standInLine(started),
    ...section("Next steps", nextLines(status, typed)),
  ];
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : ["", strong(title), ...lines];
}

function lead(name: string): Lead {
  return [`  ${padToWidth(name, 20)} `];
}

function assetLines(asset: AssetStatus): readonly Line[] {
  const { state, why, outcome, reason, iteration, maxIterations, verdict, vote } = asset;
  const { selection } = asset;
  const ending = reason === undefined ? "" : ` (${reason})`;
  const facts = [
    ...(isWorthSaying(asset) ? [why] : []),
    ...(iteration === 0 ? [] : [`${outcome.replace("_", " ")}${ending}`]),
    ...(iteration === 0 ? [] : [`turn ${iteration} of ${maxIterations ?? "?"}`]),
    ...(verdict === undefined ? [] : [`verdict ${verdict}${byWhom(asset)}`]),
    ...(vote === undefined ? [] : [`panel: ${describeVote(vote)}`]),
    renderCount(asset.candidates, "candidate"),
    ...(asset.blockingIssues === 0 ? [] : [`${asset.blockingIssues} blocking`]),
    ...(selection === undefined ? [] : [`selected by ${choosers[selection.madeBy]}`]),
    ...(asset.isLocked ? ["locked"] : []),
    ...(asset.isReopened ? ["unlocked"] : []),
    ...(asset.isDraftStale ? ["newest draft stale"] : []),
    ...(asset.isWithoutSummary ? ["written without a summary"] : []),
  ];
  const issues = isAccepted(asset) ? [] : asset.outstandingIssues;
  return [
    { lead: lead(asset.assetId), spans: [stateSpan(state), `; ${facts.join(", ")}`] },
    ...issues.map(({ severity, message, code, field, quote }): Line => {
      const about = [...(code ? [`code=${code}`] : []), ...(field ? [`field=${field}`] : [])];
      return {
        lead: [{ text: `    - ${severity}: `, style: severity === "error" ? "bad" : "caution" }],
        spans: [message, about.length > 0 && ` (${about.join(", ")})`, quote && ` “${quote}”`],
      };
    }),
  ];
}

/** A vote names the members itself. */
function byWhom({ reviewer, vote }: AssetStatus): string {
  if (reviewer === undefined || vote !== undefined) return "";
  const { label, model } = reviewer;
  return ` by ${label}${model === undefined ? "" : ` (${model})`}`;
}

/** The other states are explained by the facts of the loop. */
function isWorthSaying({ state, support }: AssetStatus): boolean {
  const explained = ["stale", "edited", "unsigned", "evidence_missing", "picked"];
  return explained.includes(state) || support === "attested";
}

const stateStyles: { readonly [state in TextState]: Style } = {
  not_started: "muted",
  drafted: "caution",
  in_review: "caution",
  needs_human: "bad",
  signed: "good",
  picked: "good",
  stale: "bad",
  edited: "bad",
  unsigned: "bad",
  evidence_missing: "bad",
};

export function stateSpan(state: TextState): { readonly text: string; readonly style: Style } {
  return { text: textStateWords[state], style: stateStyles[state] };
}

/** What a stand-in or a script judged is not judged by a model, and every list must show that. */
export function standInLine(
  assets: readonly Pick<AssetStatus, "assetId" | "deciders" | "state">[],
): Line {
  const by = (decider: Decider, who: string): string | undefined => {
    const some = assets.filter(({ deciders }) => deciders.includes(decider));
    if (some.length === 0) return undefined;
    const isAll = some.length === assets.length && assets.length > 1;
    const which = isAll ? "all" : some.map((one) => one.assetId).join(", ");
    return `${some.every(isAccepted) ? "Signed" : "Judged"} by ${who}, not by models: ${which}.`;
  };
  const said = [by("stand_in", "rule-based stand-ins"), by("scripted", "a script")];
  const text = said.filter((one) => one !== undefined).join(" ");
  return text === "" ? undefined : { lead: ["  "], spans: [caution(text)] };
}

const choosers = { person: "a person", loop: "the loop", unknown: "an unknown author" } as const;

function nextLines({ nextSteps, conclusion }: EpisodeStatus, typed: TypedHere): readonly Line[] {
  const said = (span: Span): Line => ({ lead: ["  "], spans: [span] });
  if (conclusion !== undefined) {
    const { text, command } = conclusion;
    if (command === undefined) return [said(good(text))];
    return [said(caution(text)), commandLine(typed(command))];
  }
  return nextSteps.flatMap(({ command, why }) => [commandLine(typed(command)), said(muted(why))]);
}
