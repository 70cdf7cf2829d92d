import { type Document, isMap, parseDocument } from "yaml";
import { z } from "zod";
import { checkNewEpisodeId } from "../../domain/episodes/episode-workspace.ts";
import { type Digest, digest } from "../../domain/values/digest.ts";
import { checkShape, readYaml } from "../documents/read-document.ts";
import { episodeFileOrThrow } from "./invalid-episode-file.ts";
import { keepingRules } from "./json-file.ts";
import { present, storedAssetId } from "./stored-values.ts";

/** What Signoff reads from `episode.yaml`. Everything else in the file belongs to others and stays. */
export interface EpisodeSettings {
  readonly episodeId: string;
  readonly hosts: readonly string[];
  /** Of the texts; absent means the transcript's. */
  readonly language?: string;
  readonly inputs: {
    readonly transcript?: EpisodeInput;
    readonly chapters?: EpisodeInput;
  };
  readonly tracks: readonly EpisodeTrack[];
  readonly agents: { readonly [role in AgentRole]?: EpisodeAgent };
  /** By asset id: instructions for the writer beyond the recipe. */
  readonly editorialNotes: { readonly [assetId: string]: string };
}

export interface EpisodeInput {
  readonly path: string;
  /** Of the file when it was added. */
  readonly sha256?: Digest;
  /** When the recording ends, where the transcript's source said so. */
  readonly endSec?: number;
}

export interface EpisodeTrack {
  readonly trackId: string;
  readonly path: string;
  readonly label?: string;
  readonly role?: string;
}

export type AgentRole = "creator" | "reviewer" | "drafter";

/** A command runner for one role; it runs only once its project is trusted. */
export interface EpisodeAgent {
  readonly command?: string;
  readonly args: readonly string[];
  readonly kind?: string;
}

/** What commands may write into the file. */
export interface EpisodeYamlChanges {
  readonly hosts?: readonly string[];
  readonly language?: string;
  readonly transcript?: EpisodeInput;
  readonly chapters?: EpisodeInput;
  /** Added, or updated by id; other tracks and other keys of a track stay. */
  readonly tracks?: readonly EpisodeTrack[];
}

const words = z.string().min(1);
const agent = z.looseObject({
  command: words.regex(/^\S+$/, "must be one word without white space").nullish(),
  args: z
    .union([z.array(words), words.transform((only) => [only])])
    .nullish()
    .transform((args) => args ?? []),
  kind: words.nullish(),
});
const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be a SHA-256")
  .nullish();

export const storedEpisodeYaml = z.looseObject({
  schema_version: z.literal(1, "is of a version this program does not know; expected 1").default(1),
  episode_id: z.string().min(1),
  hosts: z.array(z.string()).nullish(),
  language: z.string().min(1).nullish(),
  inputs: z
    .looseObject({
      transcript: words.nullish(),
      transcript_sha256: hash,
      transcript_end_sec: z.number().positive().nullish(),
      chapters: words.nullish(),
      chapters_sha256: hash,
    })
    .nullish(),
  tracks: z
    .array(
      z.looseObject({
        track_id: storedAssetId,
        path: z.string(),
        label: z.string().nullish(),
        role: z.string().nullish(),
      }),
    )
    .nullish(),
  agents: z
    .looseObject({ creator: agent.nullish(), reviewer: agent.nullish(), drafter: agent.nullish() })
    .nullish(),
  editorial_notes: z.record(z.string(), z.string()).nullish(),
});

/** The most characters that are read; real files are far shorter. */
const longest = 200_000;

export function newEpisodeYaml(episodeId: string): string {
  return `episode_id: ${JSON.stringify(checkNewEpisodeId(episodeId))}\ninputs: {}\nschema_version: 1\n`;
}

export function parseEpisodeYaml(text: string, file: string): EpisodeSettings {
  const document = episodeFileOrThrow(readYaml({ file, text, longest }));
  const stored = episodeFileOrThrow(checkShape(document, storedEpisodeYaml));
  const settings: EpisodeSettings = {
    episodeId: stored.episode_id,
    hosts: stored.hosts ?? [],
    ...present("language", stored.language),
    inputs: {
      ...present("transcript", toInput(stored.inputs, "transcript")),
      ...present("chapters", toInput(stored.inputs, "chapters")),
    },
    tracks: (stored.tracks ?? []).map((track) => ({
      trackId: track.track_id,
      path: track.path,
      ...present("label", track.label),
      ...present("role", track.role),
    })),
    agents: {
      ...present("creator", toAgent(stored.agents?.creator)),
      ...present("reviewer", toAgent(stored.agents?.reviewer)),
      ...present("drafter", toAgent(stored.agents?.drafter)),
    },
    editorialNotes: stored.editorial_notes ?? {},
  };
  return settings;
}

/** The file with these changes made; comments, order and keys of others are untouched. */
export function editEpisodeYaml(text: string, file: string, changes: EpisodeYamlChanges): string {
  episodeFileOrThrow(readYaml({ file, text, longest }));
  const document = parseDocument(text);
  if (changes.hosts !== undefined) document.set("hosts", document.createNode(changes.hosts));
  if (changes.language !== undefined) document.set("language", changes.language);
  setInput(document, "transcript", changes.transcript);
  setInput(document, "chapters", changes.chapters);
  for (const track of changes.tracks ?? []) setTrack(document, track);
  const edited = document.toString({ lineWidth: 0 });
  keepingRules(file, () => parseEpisodeYaml(edited, file));
  return edited;
}

function setInput(document: Document, name: string, input: EpisodeInput | undefined): void {
  if (input === undefined) return;
  if (!isMap(document.get("inputs"))) document.set("inputs", document.createNode({}));
  document.setIn(["inputs", name], input.path);
  for (const [key, value] of Object.entries({ sha256: input.sha256, end_sec: input.endSec })) {
    if (value === undefined) document.deleteIn(["inputs", `${name}_${key}`]);
    else document.setIn(["inputs", `${name}_${key}`], value);
  }
}

function setTrack(document: Document, track: EpisodeTrack): void {
  const known: unknown = document.toJS().tracks;
  const tracks: readonly { track_id?: unknown }[] = Array.isArray(known) ? known : [];
  const at = tracks.findIndex((one) => one.track_id === track.trackId);
  const fields = {
    track_id: track.trackId,
    path: track.path,
    ...present("label", track.label),
    ...present("role", track.role),
  };
  if (at < 0) {
    if (tracks.length === 0) document.set("tracks", document.createNode([fields]));
    else document.addIn(["tracks"], document.createNode(fields));
    return;
  }
  for (const [name, value] of Object.entries(fields)) document.setIn(["tracks", at, name], value);
}

function toInput(
  inputs: z.output<typeof storedEpisodeYaml>["inputs"],
  name: "transcript" | "chapters",
): EpisodeInput | undefined {
  const path = inputs?.[name] ?? undefined;
  if (path === undefined) return undefined;
  const sha256 = inputs?.[`${name}_sha256`] ?? undefined;
  return {
    path,
    ...(sha256 === undefined ? {} : { sha256: digest(sha256) }),
    ...(name === "transcript" ? present("endSec", inputs?.transcript_end_sec) : {}),
  };
}

function toAgent(stored: z.output<typeof agent> | null | undefined): EpisodeAgent | undefined {
  if (stored === null || stored === undefined) return undefined;
  return {
    ...present("command", stored.command),
    args: stored.args,
    ...present("kind", stored.kind),
  };
}
