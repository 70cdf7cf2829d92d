import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  coderPresets,
  commandPresets,
  isPresetCommand,
} from "../../adapters/runners/command/command-presets.ts";
import { isInside, realTarget } from "../../adapters/workspace/confined-path.ts";
import {
  type HostedProvider,
  hostedAccount,
  isHostedProvider,
} from "../../domain/models/hosted-providers.ts";
import { parseModelName } from "../../domain/models/model-name.ts";
import { type Act, covers, describeAct, type Guard, readAct } from "../../domain/settings/acts.ts";
import type { ChosenModel, ModelUse } from "../../domain/settings/choose-models.ts";
import { refuseUntrusted, requireTrusted } from "../../domain/settings/require-trusted.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { TrustPart } from "../../domain/settings/trust-parts.ts";
import { lazily } from "../../domain/values/lazily.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { realPath } from "../project/project-root.ts";
import type { Environment } from "./environment.ts";

/**
 * What the user agreed to, for this project. A job, the store, a manifest and a request are not the user: whatever
 * they name is refused here, in the adapter that would do it, unless one of three agreements covers it: the settings,
 * if they are trusted; a choice on this command line or in the user's environment; such a choice made earlier.
 */
export interface TrustGuard {
  readonly allow: Guard;
  /** A model was chosen for a new run. Throws if it needs trust; a choice of the user is kept for resuming. */
  choose(use: ModelUse): void;
  /** The user agreed to ask these models, for this invocation. */
  agreeToModels(models: readonly string[]): void;
  /** The user agreed to this act, for this invocation. */
  agree(act: Act): void;
  /** The same, and for later invocations in this project. */
  remember(act: Act): void;
  /** Everything that was remembered for this project. */
  remembered(): readonly Act[];
  /** A guard for a purpose of its own: what is agreed to there counts nowhere else. */
  apart(): TrustGuard;
}

export interface GuardParts {
  readonly root: string;
  readonly settings: Settings;
  readonly environment: Environment;
}

export function createGuard(parts: GuardParts): TrustGuard {
  const { settings, environment, root } = parts;
  const folder = realPath(root);
  const agreed: Act[] = [];
  const bySettings = lazily(() => [...trustedActs(parts), ...chosenActs(parts)].map(plain));
  const file = rememberedFile(environment, folder);
  const remembered = () => (file === undefined ? [] : readActs(file));
  const isAgreed = (act: Act): boolean =>
    [agreed, bySettings(), remembered()].some((list) => list.some((each) => covers(each, act)));
  const guard: TrustGuard = {
    allow(asked) {
      const act = plain(asked);
      if (isAgreed(act)) return;
      const isNamed = (part: TrustPart) =>
        actsOfPart(part, parts).some((one) => covers(plain(one), act));
      refuseUntrusted(settings.trust, settings.trust.parts.filter(isNamed));
      throw refused(act);
    },
    choose(use) {
      requireTrusted(settings.trust, use);
      if (use.isFromProject) return;
      for (const act of actsOf(use.model, parts)) guard.remember(act);
    },
    agreeToModels: (models) => models.flatMap((model) => actsOf(model, parts)).forEach(guard.agree),
    agree: (act) => void agreed.push(plain(act)),
    remember(given) {
      const act = plain(given);
      if (act.kind === "folder" && isInside(folder, act.path)) return;
      guard.agree(act);
      if (file === undefined || remembered().some((each) => covers(each, act))) return;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        appendFileSync(file, `${JSON.stringify(act)}\n`, { mode: 0o600 });
      } catch {
        // A folder that cannot be written, as in a container: the choice holds for this invocation alone.
      }
    },
    remembered,
    apart: () => createGuard(parts),
  };
  return guard;
}

/** One file per project: lines are only appended, so processes that write at once lose nothing. */
function rememberedFile({ userFolder }: Environment, folder: string): string | undefined {
  if (userFolder === undefined) return undefined;
  const name = createHash("sha256").update(folder).digest("hex");
  return join(userFolder, "chosen", `${name}.jsonl`);
}

function readActs(file: string): readonly Act[] {
  try {
    return readFileSync(file, "utf8").split("\n").flatMap(readLine);
  } catch {
    return [];
  }
}

/** A line that was cut off by a crash agrees to nothing. */
function readLine(line: string): readonly Act[] {
  try {
    return [readAct(JSON.parse(line))].filter((act) => act !== undefined);
  } catch {
    return [];
  }
}

/** What the project's own files name, once the user trusts them. */
function trustedActs(parts: GuardParts): readonly Act[] {
  const { trust } = parts.settings;
  return trust.isTrusted ? trust.parts.flatMap((part) => actsOfPart(part, parts)) : [];
}

function actsOfPart(part: TrustPart, parts: GuardParts): readonly Act[] {
  const folder = parts.root;
  switch (part.kind) {
    case "command":
      return [{ kind: "program", argv: part.argv, folder }];
    case "key":
    case "header":
      return [{ kind: "secret", address: part.baseUrl, variable: part.variable }];
    case "chosen-model":
      return /stages.coder$/iu.test(part.setting)
        ? coderActs(part.model, folder)
        : actsOf(part.model, parts);
  }
}

function coderActs(model: string, folder: string): readonly Act[] {
  const name = model.trim().replace(/^command\//u, "");
  const preset = Object.hasOwn(coderPresets, name) ? coderPresets[name] : undefined;
  return preset === undefined ? [] : [{ kind: "program", argv: preset.argv, folder }];
}

/** What the user chose by a flag or a variable of the environment. */
function chosenActs(parts: GuardParts): readonly Act[] {
  const { models, notes, stages } = parts.settings;
  const own = (use: ChosenModel) => !use.isFromProject && use.source !== "default";
  return [
    ...[...Object.values(models), ...notes.models]
      .filter(own)
      .flatMap(({ model }) => actsOf(model, parts)),
    ...(own(stages.coder) ? coderActs(stages.coder.model, parts.root) : []),
  ];
}

/** Where this invocation sends a provider's key: the user's own environment comes before the project's settings. */
export function accountFor(
  provider: HostedProvider,
  { settings, environment }: Pick<GuardParts, "settings" | "environment">,
) {
  const own = environment.providerUrls[provider];
  const config = settings.hosted[provider] ?? {};
  const given = own === undefined ? config : { ...config, baseUrl: own };
  return { ...given, ...hostedAccount(provider, given, environment.secret) };
}

/** What asking a model does. A command or server of the project's settings is covered by trust in them. */
function actsOf(model: string, { root, settings, environment }: GuardParts): readonly Act[] {
  const name = parseModelName(model);
  if (isHostedProvider(name.provider)) {
    const { address, variable } = accountFor(name.provider, { settings, environment });
    return [{ kind: "secret", address, variable }];
  }
  if (name.provider !== "command" || Object.hasOwn(settings.commands, name.name)) return [];
  if (!isPresetCommand(name.name)) return [];
  return [{ kind: "program", argv: commandPresets[name.name].argv, folder: root }];
}

/** Folders and addresses have several spellings. */
function plain(act: Act): Act {
  if (act.kind === "program") return { ...act, folder: realPath(act.folder) };
  if (act.kind === "folder") return { ...act, path: realTarget(act.path) ?? act.path };
  const url = URL.canParse(act.address) ? new URL(act.address) : undefined;
  const address = url === undefined ? act.address : `${url.origin}${url.pathname}`;
  return { ...act, address: address.replace(/\/+$/u, "") };
}

const waysOn = {
  program:
    "If you know the program, give the command that started the run again, or look at `signoff trust`.",
  secret:
    "If you want that, name the model or the address yourself in the command that started the run, or look at `signoff trust`.",
  folder: "If you want that, name the folder yourself with --output-dir.",
} as const;

function refused(act: Act): ConfigurationError {
  return new ConfigurationError(
    `This would ${describeAct(act)}, which you have not allowed in this project.`,
    { code: "trust-needed", facts: { act: { ...act } }, hint: waysOn[act.kind] },
  );
}
