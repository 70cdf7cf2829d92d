import { createHash } from "node:crypto";
import { join } from "node:path";
import { writeFilesAtomically } from "../../adapters/workspace/atomic-files.ts";
import type { AskRequest } from "../../ports/runner.ts";

/**
 * Writes a prompt to a file that an external agent can read, and returns its path in the project. The name is a digest
 * of the content, so a resumed run reuses the same file.
 */
export async function writePromptFile(root: string, request: AskRequest): Promise<string> {
  const { role, model, system, user } = request;
  const text = `${[system, user].filter((part) => part !== "").join("\n\n")}\n`;
  const digest = createHash("sha256").update(`${role}\n${model}\n${text}`).digest("hex");
  const path = join(".signoff", "prompts", `${role}-${digest.slice(0, 16)}.md`);
  await writeFilesAtomically([{ path: join(root, path), content: text, isPrivate: true }]);
  return path;
}
