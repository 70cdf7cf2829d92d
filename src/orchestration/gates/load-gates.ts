import {
  type FileProblem,
  InvalidFile,
  renderProblem,
} from "../../contract/documents/file-problem.ts";
import { nearestName } from "../../contract/documents/nearest-name.ts";
import { parseGateFile } from "../../contract/gates/gate-file.ts";
import type { Rule } from "../../domain/gates/rule-gate.ts";
import { type GateSnapshot, lensOf } from "../../domain/gates/snapshots.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { NoteFile } from "../../ports/note-source.ts";
import type { NotesTools } from "./notes-tools.ts";

export interface Gate extends GateSnapshot {
  readonly path: string;
  readonly rules: readonly Rule[];
  readonly description?: string;
  /** The whole file, as it is stored for later comparisons. */
  readonly text: string;
}

/** Reads all gates. An unreadable gate stops the command, because an incomplete set could look like a pass. */
export async function loadGates(
  tools: NotesTools,
  files: readonly NoteFile[],
): Promise<readonly Gate[]> {
  const problems: FileProblem[] = [];
  const gates = files.flatMap((file) => readGate(tools, file, problems));
  problems.push(...(await checkPatterns(tools, gates)));
  if (problems.length === 0) return gates;
  throw new InvalidFile(problems, {
    code: "gate-invalid",
    heading: "Gates cannot be read:",
    facts: { problems: problems.map(renderProblem) },
  });
}

function readGate(tools: NotesTools, file: NoteFile, problems: FileProblem[]): readonly Gate[] {
  const { settings, source } = tools;
  const id = file.path.slice(settings.gates.length + 1, -".md".length);
  const loaded = source.readText(file.path);
  if (loaded.kind !== "text") {
    problems.push({ file: file.path, path: "", message: `the file is ${loaded.kind}` });
    return [];
  }
  const parsed = parseGateFile(id, file.path, loaded.text);
  if (parsed.kind === "problems") {
    problems.push(...parsed.problems);
    return [];
  }
  return [{ ...parsed.value, path: file.path, blobSha: file.blobSha, text: loaded.text }];
}

async function checkPatterns(
  { loadPatterns }: NotesTools,
  gates: readonly Gate[],
): Promise<readonly FileProblem[]> {
  const patterns = gates.flatMap(({ path: file, rules }) =>
    rules.flatMap((rule, at) => ("pattern" in rule ? [{ file, at, pattern: rule.pattern }] : [])),
  );
  if (patterns.length === 0) return [];
  const { check } = await loadPatterns();
  return patterns.flatMap(({ file, at, pattern }) => {
    const message = check(pattern);
    return message === undefined ? [] : [{ file, path: `rules[${at}]`, message }];
  });
}

/**
 * Gates by id or lens, in the order of the arguments and without duplicates; a lens means all its gates in file order.
 * No arguments select all gates.
 */
export function chooseGates(gates: readonly Gate[], asked: readonly string[]): readonly Gate[] {
  if (asked.length === 0) return gates;
  const chosen = new Map<string, Gate>();
  for (const name of asked) {
    const lens = name.replace(/\/$/, "");
    const found = gates.filter(({ id }) => id === name || lensOf(id) === lens);
    if (found.length === 0) throw unknownGate(name, gates);
    for (const gate of found) chosen.set(gate.id, gate);
  }
  return [...chosen.values()];
}

function unknownGate(name: string, gates: readonly Gate[]): ConfigurationError {
  const known = gates.map(({ id }) => id);
  const near = nearestName(name, [...known, ...new Set(known.map(lensOf))]);
  return new ConfigurationError(`There is no gate "${name}".`, {
    code: "gate-unknown",
    facts: { gate: name, gates: known },
    hint:
      near === undefined ? `Known gates: ${known.join(", ") || "none"}.` : `Did you mean ${near}?`,
  });
}
