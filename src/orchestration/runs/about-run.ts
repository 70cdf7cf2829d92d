import type { RunId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { RunRecord } from "../../ports/run-store.ts";
import { episodeAddress } from "../episodes/asset-loops.ts";

/** Where the thing that a run is about can be seen; ids, never paths of this machine. */
export type RunPlace =
  | { readonly kind: "draft"; readonly id: RunId }
  | { readonly kind: "episode"; readonly id: string }
  | { readonly kind: "asset"; readonly id: string; readonly part: string }
  | { readonly kind: "pack_run"; readonly id: string; readonly part: string }
  | { readonly kind: "stage"; readonly id: string }
  | { readonly kind: "note"; readonly id: string; readonly part?: string }
  | { readonly kind: "notes" };

/** What each feature freezes in its jobs, as far as a title needs it. */
interface Input {
  readonly brief?: Json;
  readonly folder?: Json;
  readonly workspace?: Json;
  readonly draft?: { readonly asset_id?: string; readonly recipe?: { readonly title?: string } };
  readonly jobs?: readonly { readonly input?: Json }[];
  readonly notes?: readonly { readonly path: string }[];
  readonly gates?: readonly { readonly id: string }[];
  readonly note_table?: readonly Json[];
  readonly gate_table?: readonly Json[];
  readonly member?: { readonly name?: Json };
  readonly pack?: { readonly pack_id: string; readonly title: string };
  readonly scenario?: { readonly scenario_id: string; readonly title: string };
  readonly iteration_id?: Json;
}

/** What a user recognizes it by: a brief, a text of an episode, a note, a pack with its score. */
export function titleOfRun({ job, ending }: Pick<RunRecord, "job" | "ending">): string {
  const input = (job.input ?? {}) as Input;
  const { brief, folder, workspace, draft, notes, gates, pack, scenario } = input;
  const questions = scenario ?? pack;
  if (questions !== undefined) return questions.title + scoreOf(ending);
  if (notes !== undefined && gates !== undefined) return titleOfReview(input);
  if (input.note_table !== undefined) {
    return `${countOf(input.note_table, "note")} × ${countOf(input.gate_table ?? [], "gate")}`;
  }
  const episode = workspace ?? workspaceOf(input);
  if (typeof episode === "string") return titleOfEpisode(job.kind, episode, draft);
  if (typeof brief === "string") return brief;
  const stage = stageOf(folder);
  if (stage !== undefined) return `${stage}: ${input.iteration_id ?? "repair"}`;
  // The end of a folder's path tells runs apart; its beginning is the same for most.
  return typeof folder === "string" ? folder.split("/").slice(-3).join("/") : job.id;
}

/** Undefined for a run that only its own page shows. */
export function placeOfRun({ run, job }: Pick<RunRecord, "run" | "job">): RunPlace | undefined {
  const input = (job.input ?? {}) as Input;
  switch (job.kind) {
    case "draft":
      return { kind: "draft", id: run };
    case "pack":
    case "scenario": {
      const id = input.pack?.pack_id ?? input.scenario?.scenario_id;
      return id === undefined ? undefined : { kind: "pack_run", id, part: run };
    }
    case "gate-sweep":
      return { kind: "notes" };
    case "gate-review":
      return placeOfReview(input);
    default:
      return placeInFolder(input);
  }
}

function placeOfReview({ notes = [], gates = [] }: Input): RunPlace {
  const [note] = notes;
  const [gate] = gates;
  if (note === undefined) return { kind: "notes" };
  return { kind: "note", id: note.path, ...(gate === undefined ? {} : { part: gate.id }) };
}

function placeInFolder(input: Input): RunPlace | undefined {
  const workspace = input.workspace ?? workspaceOf(input);
  if (typeof workspace === "string") {
    const id = episodeAddress(workspace);
    const part = input.draft?.asset_id;
    return part === undefined ? { kind: "episode", id } : { kind: "asset", id, part };
  }
  const stage = stageOf(input.folder);
  return stage === undefined ? undefined : { kind: "stage", id: stage };
}

function titleOfReview({ notes = [], gates = [], member }: Input): string {
  const by = typeof member?.name === "string" ? ` by ${member.name}` : "";
  return `${notes.map(({ path }) => path).join(", ")}: ${gates.map(({ id }) => id).join(", ")}${by}`;
}

function titleOfEpisode(kind: string, workspace: string, draft: Input["draft"]): string {
  const name = workspace === "." ? "this episode" : (workspace.split("/").at(-1) ?? workspace);
  const what = draft?.recipe?.title ?? draft?.asset_id;
  if (what !== undefined) return `${what} of ${name}`;
  return kind === "episode-summarize" ? `Summary of ${name}` : `Texts of ${name}`;
}

/** The workspace that all parts of a run share. */
function workspaceOf({ jobs }: Input): string | undefined {
  const [first] = jobs ?? [];
  const { workspace } = (first?.input ?? {}) as Input;
  return typeof workspace === "string" ? workspace : undefined;
}

function stageOf(folder: Json | undefined): string | undefined {
  if (typeof folder !== "string") return undefined;
  return /(?:^|\/)stage_agent_loops\/([^/]+)/u.exec(folder)?.[1];
}

interface Steps {
  readonly steps?: readonly { readonly status: string; readonly criticality?: string }[];
}

/** `: 12 of 19 steps`, once they are judged; steps for information only do not count. */
function scoreOf(ending: RunRecord["ending"]): string {
  if (ending?.kind !== "finished") return "";
  const result = ending.result as (Steps & { readonly scenarios?: readonly Steps[] }) | null;
  const parts = result?.scenarios ?? (result === null ? [] : [result]);
  const steps = parts
    .flatMap((part) => part.steps ?? [])
    .filter(({ criticality }) => criticality !== "info");
  if (steps.length === 0) return "";
  const passed = steps.filter(({ status }) => status === "accepted").length;
  return `: ${passed} of ${countOf(steps, "step")}`;
}

function countOf({ length }: readonly unknown[], one: string): string {
  return `${length} ${one}${length === 1 ? "" : "s"}`;
}
