import { memberPartition, modelPartition } from "../../domain/gates/model-partition.ts";
import type { NotesPanel, PanelJudge } from "../../domain/gates/panel-vote.ts";
import type { NamedMember } from "../../domain/settings/project-config.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { memberInstructions } from "../../protocol/gates/member-instructions.ts";
import { sha256 } from "../project/sha256.ts";

/** The panels of the settings with their members' models and prompts. */
export function notesPanels(settings: Settings): { readonly [name: string]: NotesPanel } {
  const { panels, partitions } = settings.notes;
  const rules = { aliases: { ...settings.aliases, ...partitions } };
  const named = Object.entries(panels).map(([panel, { rule = "majority", models }]) => {
    const members = models.map((member) => memberOf(settings, panel, member));
    // Two spellings of one model are one judge, and a judge has one vote.
    const byJudge = new Map(members.map((one) => [modelPartition(one.judge, rules), one]));
    return [panel, { rule, members: [...byJudge.values()] }] as const;
  });
  return Object.fromEntries(named);
}

function memberOf(
  { aliases, notes }: Settings,
  panel: string,
  member: string | NamedMember,
): PanelJudge {
  const modelOf = (text: string) => (Object.hasOwn(aliases, text) ? (aliases[text] ?? text) : text);
  if (typeof member === "string") {
    const model = modelOf(member);
    return { name: model, model, judge: model };
  }
  const { name } = member;
  const model = member.model === undefined ? (notes.models[0]?.model ?? "") : modelOf(member.model);
  const instructions = memberInstructions(panel, member);
  const judge = memberPartition(panel, name, sha256(JSON.stringify([model, instructions])));
  return { name, model, judge, instructions };
}
