import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { version } from "../../domain/values/version.ts";
import { type JUnitCase, renderJUnit } from "../documents/junit.ts";

/** One thing that `check` has to say, as CI systems show it. */
export interface CiFinding {
  readonly note: string;
  readonly gate: string;
  readonly model: string;
  readonly rule: string;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  readonly line?: number;
  /** Why it does not count: a person ruled so. */
  readonly suppressed?: string;
}

export interface CiReport {
  readonly pairs: number;
  readonly findings: readonly CiFinding[];
}

/** One test case per finding, and one that passes when there is none. */
export function renderCheckJUnit({ pairs, findings }: CiReport): string {
  const passing = { classname: "signoff", name: `${pairs} pairs are fresh and pass` };
  const open = findings.filter(({ suppressed }) => suppressed === undefined);
  const cases = open.length === 0 ? [passing] : open.map(toCase);
  return renderJUnit({ suites: [{ name: "signoff notes check", cases }] });
}

function toCase({ note, gate, model, rule, level, message, line }: CiFinding): JUnitCase {
  return {
    classname: note,
    name: `${gate === "" ? rule : gate} (${model})`,
    file: note,
    ...defined({ line }),
    result:
      level === "error"
        ? { kind: "failure", type: rule, message }
        : { kind: "output", text: message },
  };
}

/** SARIF 2.1.0 as code scanning reads it. */
export function renderSarif({ findings }: CiReport): Json {
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "signoff",
            version,
            informationUri: "https://www.npmjs.com/package/signoff",
            rules: rules.map((id) => ({ id, shortDescription: { text: descriptions[id] ?? id } })),
          },
        },
        columnKind: "unicodeCodePoints",
        results: findings.map(({ note, gate, model, rule, level, message, line, suppressed }) => ({
          ruleId: rule,
          ruleIndex: rules.indexOf(rule),
          level,
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(note) },
                region: { startLine: line ?? 1 },
              },
            },
          ],
          ...(suppressed === undefined
            ? {}
            : {
                suppressions: [{ kind: "external", status: "accepted", justification: suppressed }],
              }),
          partialFingerprints: { "signoffPair/v1": `${note}:${gate}:${model}:${rule}` },
        })),
      },
    ],
  };
}

const descriptions: { readonly [rule: string]: string } = {
  "missing-review": "The note was never reviewed against the gate",
  "gate-changed": "The gate changed after the review",
  "note-changed": "The note changed after the review",
  undecided: "The review came to no decision",
  failing: "The review says that the note does not pass",
  warning: "The review warns",
  "stand-in": "Only a rule-based stand-in has judged",
  lock: "A line of the lock file cannot be read",
  unreadable: "The file or folder could not be read, so it is not checked",
  "gate-removed": "A gate was removed",
  ruling: "A person ruled on a finding or a verdict",
};

/** Workflow commands of GitHub Actions, one annotation a line. */
export function renderGitHub({ findings }: CiReport): string {
  return findings
    .filter(({ suppressed }) => suppressed === undefined)
    .map(({ note, gate, rule, level, message, line }) => {
      const title = gate === "" ? rule : `${rule}: ${gate}`;
      const properties = [
        `file=${property(note)}`,
        `line=${line ?? 1}`,
        `title=${property(title)}`,
      ];
      return `::${level === "note" ? "notice" : level} ${properties.join(",")}::${data(message)}\n`;
    })
    .join("");
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function uriOf(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
