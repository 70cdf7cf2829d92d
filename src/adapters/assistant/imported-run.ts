import { readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { pairConversation, parseSessionTranscript } from "../../contract/scenarios/transcript.ts";
import type { ConversationPair } from "../../domain/scenarios/conversation-review.ts";
import { type MaskRules, maskJson, maskText } from "../../domain/scenarios/masking.ts";
import type { Json } from "../../domain/values/json.ts";
import { unlessMissing } from "../../domain/values/unless-missing.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { SessionMapping } from "./assistant-settings.ts";
import { compileAll, conversationItem } from "./read-answer.ts";

export interface ImportedRunSource {
  /** Nothing outside it is read. */
  readonly root: string;
  /** `{id}` is the run's id; relative to the root. */
  readonly reportFile: string;
  /** The same with one `*` in the file name. */
  readonly sessionFiles: string;
  readonly session: SessionMapping;
  readonly mask: MaskRules;
}

export interface ImportedRun {
  readonly runId: string;
  /** Files it was read from, relative to the root. */
  readonly files: readonly string[];
  readonly pairs: readonly ConversationPair[];
}

const MAX_BYTES = 20 * 1024 * 1024;

/**
 * Reads a run made elsewhere: its session files or, if there are none, the conversation in its report. A file that
 * cannot be read as a session is an error, never a shorter run.
 */
export async function loadImportedRun(
  runId: string,
  source: ImportedRunSource,
): Promise<ImportedRun> {
  requireImportedId(runId);
  const query = compileAll(source.session, "session");
  const sessions = await listFiles(source.root, source.sessionFiles.replaceAll("{id}", runId));
  const pairs: ConversationPair[] = [];
  for (const file of sessions) {
    const items = query.items(
      maskJson(parseSession(await readConfined(source.root, file), file), source.mask),
    );
    if (!Array.isArray(items)) {
      throw problem(`${file} contains no conversation`, "bad-session-file", { file });
    }
    const session = basename(file).replace(/\.json$/i, "");
    const conversation = items.flatMap((item: Json) => conversationItem(item, query));
    pairs.push(...pairConversation(session, conversation));
  }
  const reports = await listFiles(source.root, source.reportFile.replaceAll("{id}", runId));
  if (sessions.length === 0) {
    for (const file of reports) {
      const text = maskText(await readConfined(source.root, file), source.mask);
      pairs.push(...pairConversation(runId, parseSessionTranscript(text)));
    }
  }
  const files = [...reports, ...sessions];
  if (files.length === 0) {
    throw new ConfigurationError(`There are no files of a run ${runId}.`, {
      code: "run-not-found",
      facts: { run: runId, reports: source.reportFile, sessions: source.sessionFiles },
      hint: "Say in signoff.yaml where such runs leave their files, or paste one with --transcript FILE.",
    });
  }
  return { runId, files, pairs };
}

/** The id is used in file names and as the folder of the review. */
export function requireImportedId(runId: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,119}$/.test(runId)) return;
  throw problem(`"${runId}" is not a run id`, "bad-run-id", { runId });
}

async function listFiles(root: string, pattern: string): Promise<readonly string[]> {
  const folder = dirname(pattern);
  const [before = "", after] = basename(pattern).split("*");
  const names = (await unlessMissing(readdir(join(root, folder)))) ?? [];
  return names
    .filter((name) =>
      after === undefined
        ? name === before
        : name.startsWith(before) &&
          name.endsWith(after) &&
          name.length >= before.length + after.length,
    )
    .sort()
    .map((name) => join(folder, name));
}

/** A link that leads out of the root is refused. */
async function readConfined(root: string, file: string): Promise<string> {
  const home = await realpath(root);
  const path = await realpath(join(root, file));
  if (!path.startsWith(home + sep)) {
    throw problem(`${file} leads out of ${root}`, "path-outside-root", { file });
  }
  const bytes = await readFile(path);
  if (bytes.length > MAX_BYTES) {
    throw problem(`${file} is larger than ${MAX_BYTES} bytes`, "file-too-large", { file });
  }
  return bytes.toString("utf8");
}

function parseSession(text: string, file: string): Json {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch (cause) {
    throw new ConfigurationError(`${file} is not JSON`, {
      code: "bad-session-file",
      facts: { file },
      cause,
    });
  }
}

function problem(
  message: string,
  code: string,
  facts: { readonly [name: string]: Json },
): ConfigurationError {
  return new ConfigurationError(message, { code, facts });
}
