import { dirname, relative, resolve } from "node:path";
import { isDead, processOwner } from "../adapters/engines/embedded/process-owner.ts";
import { watchCode } from "../adapters/provenance/code-state.ts";
import { coderPresets, plainReply } from "../adapters/runners/command/coder-runner.ts";
import { loadStageManifest } from "../adapters/workspace/manifest-files.ts";
import { createRunFolders } from "../adapters/workspace/run-folders.ts";
import type { ScenarioSettings } from "../contract/manifests/scenario-settings.ts";
import { readArtifact } from "../contract/manifests/write-artifact.ts";
import type { Trust } from "../domain/settings/require-trusted.ts";
import type { StageManifest } from "../domain/stages/stage-manifest.ts";
import { quoteArgument } from "../domain/stages/step-guidance.ts";
import { runId } from "../domain/values/ids.ts";
import { millisOf } from "../domain/values/instant.ts";
import { ConfigurationError } from "../domain/values/workflow-error.ts";
import { specHashOf } from "../orchestration/scenarios/run-pack.ts";
import type { StageDesk } from "../orchestration/stages/close-stage.ts";
import type { CoderTemplate, RepairParts } from "../orchestration/stages/run-repair.ts";
import type { Stage } from "../orchestration/stages/stage.ts";
import { coderLedgerOf, coderRunnerOf } from "./coders.ts";
import { type Environment, readAllVariables } from "./config.ts";
import { createCrashPoints } from "./crash-points.ts";
import { loadPack } from "./manifests.ts";
import type { Project } from "./project.ts";
import { loadScenarioSettings } from "./scenario-settings.ts";
import { sha256 } from "./sha256.ts";
import { stageReadingOf, stageShelfOf, stagesName } from "./stage-reading.ts";
import { judgeTrust } from "./trust.ts";

/** The stage that a manifest describes, with its pack. The pack's path is relative to the manifest. */
export function openStage(
  root: string,
  settings: ScenarioSettings,
  about: { readonly path: string; readonly assistantUrl?: string },
): Stage {
  const manifest = loadStageManifest(about.path);
  const packPath = resolve(dirname(about.path), manifest.packManifest);
  const pack = loadPack(root, packPath);
  return {
    manifest: withHints(manifest, settings),
    manifestPath: relative(root, about.path),
    pack,
    packHash: specHashOf(pack, sha256),
    folder: `${settings.output_dir}/${stagesName}/${manifest.stageId}`,
    ...(about.assistantUrl === undefined ? {} : { assistantUrl: about.assistantUrl }),
  };
}

/** The stage's own hints go before those of the project. */
function withHints(manifest: StageManifest, settings: ScenarioSettings): StageManifest {
  return { ...manifest, fileHints: { ...settings.file_hints, ...manifest.fileHints } };
}

/** Everything the commands of a stage work with. */
export function stagePartsOf(
  project: Project,
  environment: Environment,
  { onOrphan = () => undefined }: { readonly onOrphan?: (pid: number) => void } = {},
): RepairParts {
  const { root, store, clock } = project;
  const crash = createCrashPoints(environment);
  const variables = readAllVariables();
  const reading = stageReadingOf(root);
  return {
    ...reading,
    folders: createRunFolders(root, crash),
    clock,
    crash,
    lock: (work) => store.transaction(work),
    self: processOwner(),
    async endOrphans() {
      for (const { pid } of await coderLedgerOf(root).endOrphans()) onOrphan(pid);
    },
    runCoder: coderRunnerOf(root, clock),
    watchCode: (globs) => watchCode(root, globs, variables),
    async isPlaying(folder) {
      const text = await reading.folders.read(folder, "run_manifest.json");
      if (text === undefined) return false;
      const record = await store.runs.load(runId(readArtifact("run_manifest.json", text).runId));
      const holder = record?.holder;
      return holder !== undefined && !isDead(holder, millisOf(clock.now()));
    },
  };
}

/** Stages by their ids; the settings are read each time, as a command would. */
export function stageDeskOf(project: Project, environment: Environment): StageDesk {
  const { root } = project;
  return {
    ...stageShelfOf(root),
    ...stagePartsOf(project, environment),
    openStage: (manifestPath) =>
      openStage(root, loadScenarioSettings(root), { path: resolve(root, manifestPath) }),
  };
}

const longest = 3 * 60 * 60;

export interface CoderChoice {
  /** On the command line: the person's own choice. */
  readonly given?: readonly string[];
  readonly seconds?: number;
}

/** The coder that was named: on the command line, else in the manifest; a preset by its name, or any program. */
export function coderOf({ manifest }: Stage, { given, seconds }: CoderChoice): CoderTemplate {
  const named = given ?? manifest.coder;
  const timeoutMs = (seconds ?? longest) * 1000;
  const words = typeof named === "string" ? [named] : named;
  const [only = "", ...rest] = words ?? [];
  const preset =
    rest.length === 0 && Object.hasOwn(coderPresets, only) ? coderPresets[only] : undefined;
  if (preset !== undefined) return { ...preset, timeoutMs };
  if (words === undefined || typeof named === "string") {
    throw new ConfigurationError(
      words === undefined ? "No coder is named." : `There is no coder "${only}".`,
      {
        code: "coder-missing",
        hint: `Set \`coder\` in the manifest, or give --coder: ${Object.keys(coderPresets).join(", ")}, or a program with its arguments.`,
      },
    );
  }
  return { argv: words, timeoutMs, replyOf: plainReply };
}

/** A program that a file of the project names is started only for somebody who says yes to exactly that program. */
export function requireTrustedCoder(
  coder: CoderTemplate,
  how: {
    readonly isOwnChoice: boolean;
    readonly byFlag: boolean;
    readonly environment: Environment;
    /** Digests of coders that the user said yes to before. */
    readonly trusted: readonly string[];
    /** As a command names it. */
    readonly manifestPath: string;
  },
): void {
  if (how.isOwnChoice) return;
  const trust = coderTrust(coder, how);
  if (trust.isTrusted) return;
  throw new ConfigurationError(
    `The stage's manifest names the program to run: ${JSON.stringify(coder.argv)}.`,
    {
      code: "trust-needed",
      facts: { digest: trust.digest },
      hint: `If that is right, say so: signoff trust --manifest ${quoteArgument(how.manifestPath)}. For this once --trust does, in CI SIGNOFF_TRUST=${trust.digest}.`,
    },
  );
}

/** Whether the user said yes to exactly this program. */
export function coderTrust(
  { argv }: Pick<CoderTemplate, "argv">,
  given: {
    readonly byFlag: boolean;
    readonly environment: Environment;
    readonly trusted: readonly string[];
  },
): Trust {
  const { byFlag, environment, trusted } = given;
  const parts = [{ kind: "command", setting: "coder", argv } as const];
  const asked = judgeTrust(parts, {
    byFlag,
    byEnvironment: environment.trustedDigest,
    stored: undefined,
  });
  return { ...asked, isTrusted: asked.isTrusted || trusted.includes(asked.digest) };
}

/** Who judges: a model's name. */
export function analystOf({ manifest }: Stage): string {
  const { analyst = "offline/rules" } = manifest;
  if (typeof analyst === "string") return analyst;
  throw new ConfigurationError("The analyst must be the name of a model.", {
    code: "analyst-invalid",
    hint: "Name a command under `commands` of signoff.yaml and use command/<name>.",
  });
}
