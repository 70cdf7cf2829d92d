import { type ModelName, parseModelName } from "../models/model-name.ts";
import { ConfigurationError } from "../values/workflow-error.ts";
import type { ModelUse } from "./choose-models.ts";
import { describeTrustPart, isActing, type TrustPart } from "./trust-parts.ts";

/** What a project asks trust for, and whether the user gave it for exactly these parts. */
export interface Trust {
  readonly parts: readonly TrustPart[];
  /** Of the parts; what `SIGNOFF_TRUST` has to hold. */
  readonly digest: string;
  readonly isTrusted: boolean;
}

/**
 * Throws `ConfigurationError` (`trust-needed`) before a runner is made for a model that the project's files
 * would have run a program or send a key. A program that only a project file outside the settings names (a
 * recipe) is refused until the settings name it too, since the user's yes covers the settings.
 */
export function requireTrusted(trust: Trust, use: ModelUse): void {
  const concerned = trust.parts.filter((part) => concerns(part, use.model));
  const isUnnamed =
    use.isFromProject && isActing(use.model) && !concerned.some(({ kind }) => kind !== "key");
  if (isUnnamed) throw unnamed(use.model);
  const inForce = concerned.filter((part) => part.kind !== "chosen-model" || use.isFromProject);
  refuseUntrusted(trust, inForce);
}

/** The same for headers that the project's files fill from the environment: without them is not as asked. */
export function requireTrustedHeaders(trust: Trust): void {
  refuseUntrusted(
    trust,
    trust.parts.filter(({ kind }) => kind === "header"),
  );
}

/** Throws if any of these parts is not trusted. */
export function refuseUntrusted(trust: Trust, parts: readonly TrustPart[]): void {
  if (trust.isTrusted || parts.length === 0) return;
  const listed = parts.map(describeTrustPart).join("; ");
  throw new ConfigurationError(`This project's settings are not trusted yet: ${listed}.`, {
    code: "trust-needed",
    facts: { digest: trust.digest, settings: parts.map((part) => part.setting) },
    hint: `Look at them with \`signoff trust\` and say yes there, or pass --trust for this once, or set SIGNOFF_TRUST=${trust.digest}.`,
  });
}

function concerns(part: TrustPart, model: string): boolean {
  const name = parseModelName(model);
  switch (part.kind) {
    case "command":
      return name.provider === "command" && part.setting === `commands.${name.name}`;
    case "key":
      return part.setting === `providers.${settingOf(name)}`;
    case "chosen-model":
      return part.model.trim() === model;
    case "header":
      return false;
  }
}

function settingOf(name: ModelName): string {
  return name.provider === "compatible" ? `compatible.${name.server}` : name.provider;
}

function unnamed(model: string): ConfigurationError {
  return new ConfigurationError(
    `A file of this project asks for ${model}, which runs a program or spends on your account.`,
    {
      code: "trust-needed",
      facts: { model },
      hint: `Name it in signoff.yaml too (models or commands) and run \`signoff trust\`, or choose it yourself with --model ${model}.`,
    },
  );
}
