import { InvalidArgumentError } from "commander";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

/** A flag whose value cannot be used, or flags that do not go together. */
export function invalidFlag(
  message: string,
  hint?: string,
  facts: { readonly [name: string]: Json } = {},
): ConfigurationError {
  return new ConfigurationError(message, { code: "flag-invalid", facts, ...defined({ hint }) });
}

/** Collects the values of a flag that may be repeated. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** A name or reason that is kept with an act must not be empty. */
export function textFlag(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}

export function wholeNumberFlag(text: string): number {
  const isNumber = /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text));
  if (!isNumber) throw new InvalidArgumentError("Use a whole number.");
  return Number(text);
}

export function portFlag(text: string): number {
  const port = wholeNumberFlag(text);
  if (port < 0 || port > 65_535) throw new InvalidArgumentError("Use a number from 0 to 65535.");
  return port;
}

export function atLeastOneFlag(text: string): number {
  const number = wholeNumberFlag(text);
  if (number < 1) throw new InvalidArgumentError("Use a whole number of 1 or more.");
  return number;
}
