import { plainJson } from "../../contract/documents/json-text.ts";
import {
  type RunEventData,
  type RunEventKind,
  readRunEvent,
  readTurn,
  type TurnTaken,
} from "../../contract/scenarios/run-events.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Key, RunId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import type { Projector } from "../../ports/projector.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import { artifactFile } from "./artifact-files.ts";
import { coderFiles, handOffNames, loopFiles, verdictFiles } from "./loop-files.ts";
import { iterationFolder } from "./loop-iteration.ts";
import { readPackEvidence } from "./pack-evidence.ts";
import { packFiles } from "./pack-files.ts";
import { projectedRunEvents } from "./run-event-kinds.ts";
import {
  caseFiles,
  closingPages,
  earlierNames,
  openingFiles,
  stepFiles,
} from "./scenario-files.ts";
import { sessionKeyOf } from "./scenario-flow.ts";

export interface RunProjectorParts {
  readonly folders: Pick<RunFolders, "write" | "read" | "move">;
  readonly digest: (text: string) => string;
  /** What the journal of a run keeps at a key. */
  readonly recorded: (run: RunId, key: Key) => Promise<Json | undefined>;
}

type Apply = {
  readonly [K in RunEventKind]?: (data: RunEventData<K>, event: StoredEvent) => Promise<void>;
};

/** Turns the events of scenario, pack and loop runs into the files of their folders. */
export function createRunProjector(parts: RunProjectorParts): Projector {
  const apply = { ...scenarioProjections(parts), ...packProjections(parts) } as Apply;
  return {
    kinds: projectedRunEvents,
    async apply(events) {
      for (const event of events) {
        const kind = event.kind as RunEventKind;
        const project = apply[kind] as
          | ((data: RunEventData<RunEventKind>, event: StoredEvent) => Promise<void>)
          | undefined;
        await project?.(readRunEvent(kind, event.data), event);
      }
    },
  };
}

function scenarioProjections({ folders, digest, recorded }: RunProjectorParts): Apply {
  const manifest = (about: ManifestFacts) => manifestFile(about, digest);
  const hashes = createHashes(digest, folders);
  const turnAt = async (run: RunId, at: Key): Promise<TurnTaken | undefined> => {
    const turn = await recorded(run, at);
    const session = await recorded(run, sessionKeyOf(at));
    return turn === undefined ? undefined : { ...readTurn(turn), ...defined({ session }) };
  };
  return {
    async "scenario-began"({ folder, scenario, own }, { run }) {
      const subject = (scenario as { readonly scenario_id: string }).scenario_id;
      const own_ = own === undefined ? [] : [manifest({ run, ...own, subject, finished: false })];
      const files = openingFiles(scenario);
      hashes.note(run, files);
      await folders.write(folder, [...own_, ...files]);
    },
    async "scenario-restarted"({ folder, attempt, because }) {
      await folders.move(folder, "steps", `attempts/${attempt}/steps`);
      const note = `# Attempt ${attempt} ended\n\n${because}\n`;
      await folders.write(folder, [{ name: `attempts/${attempt}/why.md`, content: note }]);
    },
    async "step-judged"(judged, { run }) {
      const { folder, turnKey } = judged;
      const turn = turnKey === undefined ? undefined : await turnAt(run, turnKey as Key);
      const files = stepFiles(judged, turn);
      hashes.note(run, files);
      await folders.write(folder, files);
    },
    async "scenario-judged"({ folder, state, own }, { run }) {
      const pages = closingPages(state);
      hashes.note(run, pages);
      const names = [...earlierNames(state), ...pages.map(({ name }) => name)];
      const files = [
        ...pages,
        artifactFile("scenario_state.json", {
          ...state,
          files: await hashes.of(run, folder, names),
        }),
      ];
      const subject = state.scenarioId;
      const own_ =
        own === undefined ? [] : [manifest({ run, ...own, subject, finished: true, files })];
      await folders.write(folder, [...files, ...own_]);
    },
    async "case-judged"(judged, { run }) {
      const files = caseFiles(judged);
      const { specHash, state } = judged;
      const about = { run, kind: "case", specHash, subject: state.scenarioId } as const;
      await folders.write(judged.folder, [...files, manifest({ ...about, finished: true, files })]);
    },
  };
}

function packProjections({ folders, digest }: RunProjectorParts): Apply {
  const manifest = (about: ManifestFacts) => manifestFile(about, digest);
  return {
    async "pack-began"({ folder, pack, specHash }, { run }) {
      const subject = (pack as { readonly pack_id: string }).pack_id;
      await folders.write(folder, [
        manifest({ run, kind: "pack", specHash, subject, finished: false }),
        { name: "pack_manifest.json", content: plainJson(pack) },
      ]);
    },
    async "pack-judged"(judged) {
      const { folder, specHash, state, final } = judged;
      const { scenarios, hashes } = await readPackEvidence(folders, judged, digest);
      const written: [string, string][] = [];
      for (const file of packFiles(state, scenarios)) {
        await folders.write(folder, [file]);
        written.push([file.name, digest(file.content)]);
      }
      const about = { run: state.runId, kind: "pack", specHash, subject: state.packId } as const;
      const all = [...written, ...hashes];
      await folders.write(folder, [manifest({ ...about, finished: final, hashes: all })]);
    },
    async "loop-began"({ folder, specHash, packId, iterationsBefore }, { run }) {
      // A hand-off belongs to the iteration that failed, not to the one that follows.
      for (const name of iterationsBefore > 0 ? handOffNames : []) {
        await folders.move(folder, name, `${iterationFolder(iterationsBefore)}/${name}`);
      }
      const about = { run, kind: "pack-loop", specHash, subject: packId } as const;
      await folders.write(folder, [manifest({ ...about, finished: false })]);
    },
    async "iteration-judged"(judged) {
      await folders.write(judged.folder, verdictFiles(judged));
    },
    async "coder-began"({ folder, prompt }) {
      await folders.write(folder, [{ name: "repair_prompt.md", content: prompt }]);
    },
    async "coder-ended"(ended) {
      await folders.write(ended.folder, coderFiles(ended));
    },
    async "loop-stopped"(ended, { run }) {
      const { folder, specHash, state, finished } = ended;
      const files = loopFiles(ended);
      const about = { run, kind: "pack-loop", specHash, subject: state.packId } as const;
      await folders.write(folder, [...files, manifest({ ...about, finished, files })]);
    },
  };
}

/** Hashes of what a run wrote; what an earlier process wrote is read again. */
function createHashes(digest: (text: string) => string, folders: Pick<RunFolders, "read">) {
  const known = new Map<RunId, Map<string, string>>();
  return {
    note(run: RunId, files: readonly RecordFile[]): void {
      const own = known.get(run) ?? new Map<string, string>();
      known.set(run, own);
      for (const { name, content } of files) own.set(name, digest(content));
    },
    async of(run: RunId, folder: string, names: readonly string[]) {
      const own = known.get(run);
      known.delete(run);
      const hashed = names.map(async (name) => {
        const hash = own?.get(name) ?? digest((await folders.read(folder, name)) ?? "");
        return [name, hash] as const;
      });
      return Object.fromEntries(await Promise.all(hashed));
    },
  };
}

interface ManifestFacts {
  readonly run: string;
  readonly kind: "pack" | "pack-loop" | "scenario" | "case";
  readonly specHash: string;
  readonly subject: string;
  readonly finished: boolean;
  readonly files?: readonly RecordFile[];
  /** Of files that are written already, by name. */
  readonly hashes?: readonly (readonly [string, string])[];
}

/** Written last, so that a manifest that says `finished` has all its evidence beside it. */
function manifestFile(about: ManifestFacts, digest: (text: string) => string): RecordFile {
  const { run, kind, specHash, subject, finished, files = [], hashes = [] } = about;
  const hashed = [...files.map(({ name, content }) => [name, digest(content)] as const), ...hashes];
  const facts = { runId: run, kind, subject, specHash, finished };
  return artifactFile("run_manifest.json", { ...facts, files: Object.fromEntries(hashed) });
}
