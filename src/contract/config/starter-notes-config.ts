import { stringify } from "yaml";
import type { NotesLayout } from "../../domain/gates/propose-layout.ts";
import { counted } from "../../domain/values/counted.ts";

/** A first `signoff.yaml` for a repository of notes; its comments say what each setting is for. */
export function starterNotesConfig(
  { roots, gates }: NotesLayout & Required<Pick<NotesLayout, "gates">>,
  judge: string | undefined,
): string {
  const found = roots.map(({ folder, files }) => `${counted(files, "file")} in ${folder}`);
  const folders = roots.length === 0 ? ["notes"] : roots.map(({ folder }) => folder);
  return `# Settings of this project. A flag or a variable wins over what is here; \`signoff config show\` prints what applies.
version: 1

models:
${judge === undefined ? "  # judge: ollama/qwen3   # who judges; until a model is named, rule-based stand-ins do (offline/rules)" : `  judge: ${inline(judge)}   # who judges; the verdicts of each model are kept apart`}

notes:
  # Folders of notes: every .md file below them is one; other markdown is left alone.${found.length === 0 ? "" : ` Found: ${found.join(", ")}.`}
  roots: ${inline(folders)}
  # exclude: ["**/index.md", notes/archive]

  # One check per file, <lens>/<name>.md. The text is what the judge is asked. ${counted(gates.files, "gate")} ${gates.files === 1 ? "is" : "are"} there.
  gates: ${inline(gates.folder)}

  # What was reviewed, in which version, with which verdict. Commit it: \`signoff notes check\` in CI reads nothing else.
  lock: signoff.lock

  # Also write what reviews found to signoff.findings.jsonl, so that CI can show each finding at its line.
  findings: true

  # Verdicts of stand-ins are for trying things out. \`check\` accepts them only if this is true.
  # allow_offline: true
`;
}

function inline(value: string | readonly string[]): string {
  return stringify(value, {
    collectionStyle: "flow",
    lineWidth: 0,
    flowCollectionPadding: false,
  }).trim();
}
