import { ConfigurationError } from "../../../domain/values/workflow-error.ts";

/**
 * Checked before anything is sent: for an invalid header, fetch quotes the key in its message, and without a key the
 * provider's package would look for one in the environment by itself.
 */
export function requiredKey(title: string, variable: string, key: string | undefined): string {
  const trimmed = key?.trim() ?? "";
  if (trimmed === "") {
    throw new ConfigurationError(`There is no key for ${title}.`, {
      code: "missing-api-key",
      facts: { variable },
      hint: `Set ${variable} in the environment.`,
    });
  }
  if (!/^[\x21-\x7e]+$/u.test(trimmed)) {
    throw new ConfigurationError(`The key for ${title} contains characters that no key has.`, {
      code: "bad-api-key",
      facts: { variable },
      hint: `Set ${variable} to the key alone, on one line.`,
    });
  }
  return trimmed;
}
