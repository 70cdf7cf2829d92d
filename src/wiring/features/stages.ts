import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { processOwner } from "../../adapters/engines/process-owner.ts";
import { coderPresets } from "../../adapters/runners/command/command-presets.ts";
import { createRunFolders } from "../../adapters/workspace/run-folders.ts";
import { readArtifact } from "../../contract/scenarios/artifacts.ts";
import { requireTrusted, type Trust } from "../../domain/settings/require-trusted.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { StageStore } from "../../orchestration/stages/close-stage.ts";
import type { CoderTemplate, RepairParts } from "../../orchestration/stages/run-repair.ts";
import type { Stage } from "../../orchestration/stages/stage.ts";
import { coderLedgerOf } from "../models/coders.ts";
import { createCrashPoints } from "../project/crash-points.ts";
import type { Project } from "../project/project.ts";
import { deadBy } from "../project/run-source.ts";
import type { Environment } from "../settings/environment.ts";
import { defaultSettings } from "../settings/settings.ts";
import { judgeTrust } from "../settings/trust.ts";
import { runExaminerOf } from "./examine-runs.ts";
import { openStage } from "./open-stage.ts";
import { stageCatalogOf, stageReadingOf } from "./stage-reading.ts";
import { createEvidenceWatch } from "./watch-evidence.ts";

/** Everything the commands of a stage work with. */
export function stagePartsOf(
  project: Project,
  environment: Environment,
  { onOrphan = () => undefined }: { readonly onOrphan?: (pid: number) => void } = {},
): RepairParts {
  const { root, store, clock, exclusively, guard, settings = defaultSettings() } = project;
  const crash = createCrashPoints(environment);
  const reading = stageReadingOf({ root, settings, store });
  return {
    ...reading,
    store,
    watchEvidence: createEvidenceWatch({ root, store, settings }),
    folders: createRunFolders(root, crash, guard),
    clock,
    crash,
    exclusively,
    examine: runExaminerOf(root, store.runs, project.settings),
    self: processOwner(),
    async endOrphans() {
      for (const { pid } of await coderLedgerOf(root).endOrphans()) onOrphan(pid);
    },
    engine: project.engine,
    newId: randomUUID,
    async isPlaying(folder) {
      const text = await reading.folders.read(folder, "run_manifest.json");
      if (text === undefined) return false;
      const record = await store.runs.load(runId(readArtifact("run_manifest.json", text).runId));
      return record?.holder !== undefined && !deadBy(clock)(record.holder);
    },
  };
}

/** Stages by their ids; manifest and pack are read each time, as a command would. */
export function stageStoreOf(
  project: Project,
  environment: Environment,
  settings: Settings,
): StageStore & RepairParts {
  const { root } = project;
  return {
    ...stageCatalogOf({ root, settings, store: project.store }),
    ...stagePartsOf(project, environment),
    openStage: (manifestPath, assistantUrl) =>
      openStage(root, settings, {
        path: resolve(root, manifestPath),
        ...defined({ assistantUrl }),
      }),
  };
}

const longest = 3 * 60 * 60;

export interface CoderChoice {
  /** Given on the command line. */
  readonly given?: readonly string[];
  readonly seconds?: number;
}

/**
 * The coder that was named: on the command line, else in the manifest, else in the settings. One word is a preset or
 * a command of the settings, with or without `command/` before it; several are a program with its arguments.
 */
export function coderOf(
  { manifest }: Stage,
  settings: Settings,
  { given, seconds }: CoderChoice,
): CoderTemplate {
  const named = given ?? manifest.coder ?? settings.stages.coder.model;
  const words = typeof named === "string" ? [named] : named;
  const [only = "", ...rest] = words;
  const name = only.replace(/^command\//u, "");
  const known = rest.length === 0 ? knownCoder(name, settings) : undefined;
  if (known !== undefined) {
    const { seconds: own = longest, ...coder } = known;
    return { ...coder, timeoutMs: (seconds ?? own) * 1000 };
  }
  if (typeof named === "string" || only.startsWith("command/")) throw noCoder(name, settings);
  return { argv: words, timeoutMs: (seconds ?? longest) * 1000, reads: "text" };
}

interface KnownCoder extends Omit<CoderTemplate, "timeoutMs"> {
  readonly seconds?: number;
}

function knownCoder(name: string, { commands }: Settings): KnownCoder | undefined {
  const preset = Object.hasOwn(coderPresets, name) ? coderPresets[name] : undefined;
  const own = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (own === undefined) return preset;
  const { argv, seconds, reads = "text" } = own;
  if (reads === "acp") throw noCoderOverAcp(name);
  return { argv, reads, ...defined({ seconds }) };
}

function noCoderOverAcp(name: string): ConfigurationError {
  return new ConfigurationError(`commands.${name} is asked over ACP, which gives it no files.`, {
    code: "coder-unknown",
    facts: { coder: name },
    hint: "Name a command that changes files by itself, such as claude or codex.",
  });
}

function noCoder(name: string, { trust, commands }: Settings): ConfigurationError {
  const isWaiting = trust.parts.some(({ setting }) => setting === `commands.${name}`);
  const known = [...new Set([...Object.keys(coderPresets), ...Object.keys(commands)])];
  return new ConfigurationError(
    isWaiting
      ? `The command ${name} of this project's settings is not trusted yet.`
      : `There is no coder "${name}".`,
    {
      code: isWaiting ? "trust-needed" : "coder-missing",
      facts: { coder: name, known },
      hint: isWaiting
        ? "Review it with `signoff trust` and trust it there, or pass --trust for this command."
        : `Set commands.${name}.argv in signoff.yaml, or give --coder: ${known.join(", ")}, or a program with its arguments.`,
    },
  );
}

interface GivenTrust {
  readonly byFlag: boolean;
  readonly environment: Environment;
  /** Digests of coders that the user has trusted before. */
  readonly trusted: readonly string[];
}

/**
 * A program that a project file names is started only after the user trusted exactly that program, either with the
 * settings (`signoff trust`) or by itself.
 */
export function requireTrustedCoder(
  coder: CoderTemplate,
  how: GivenTrust & {
    readonly stage: Stage;
    readonly settings: Settings;
    readonly isOwnChoice: boolean;
  },
): void {
  const { manifest } = how.stage;
  const { trust, stages } = how.settings;
  if (how.isOwnChoice) return;
  if (manifest.coder === undefined) {
    requireTrusted(trust, stages.coder);
    return;
  }
  if (trust.isTrusted && isCovered(coder, how)) return;
  const asked = coderTrust(coder, how);
  if (asked.isTrusted) return;
  throw new ConfigurationError(
    `The stage's manifest names the program to run: ${JSON.stringify(coder.argv)}.`,
    {
      code: "trust-needed",
      facts: { digest: asked.digest },
      hint: `To trust it: \`signoff trust --manifest ${shellWord(how.stage.manifestPath)}\`. For this command only: --trust. In CI: SIGNOFF_TRUST=${asked.digest}.`,
    },
  );
}

/** Whether the user trusts exactly this program. */
export function coderTrust(
  { argv }: Pick<CoderTemplate, "argv">,
  { byFlag, environment, trusted }: GivenTrust,
): Trust {
  const parts = [{ kind: "command", setting: "coder", argv } as const];
  const byEnvironment = environment.trustedDigest;
  const asked = judgeTrust(parts, { byFlag, byEnvironment, stored: undefined });
  return { ...asked, isTrusted: asked.isTrusted || trusted.includes(asked.digest) };
}

/** Whether the settings, which the user trusts, name the same program. */
function isCovered(
  { argv }: CoderTemplate,
  { stage, settings }: { readonly stage: Stage; readonly settings: Settings },
): boolean {
  const { coder } = stage.manifest;
  const model = typeof coder === "string" ? `command/${coder.replace(/^command\//u, "")}` : "";
  return settings.trust.parts.some((part) => {
    if (part.kind === "command") return JSON.stringify(part.argv) === JSON.stringify(argv);
    return part.kind === "chosen-model" && part.setting === "stages.coder" && part.model === model;
  });
}
