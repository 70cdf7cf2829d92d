import type { Json } from "../../domain/values/json.ts";
import { version } from "../../domain/values/version.ts";

/** One thing that `check` has to say, as CI systems show it. */
export interface CiFinding {
  readonly note: string;
  readonly gate: string;
  readonly model: string;
  readonly rule: string;
  readonly level: "error" | "warning";
  readonly message: string;
  readonly line?: number;
}

export interface CiReport {
  readonly pairs: number;
  readonly findings: readonly CiFinding[];
}

/** JUnit XML: one suite, one case per finding, and one that passes when there is none. */
export function renderJUnit({ pairs, findings }: CiReport): string {
  const failures = findings.filter(({ level }) => level === "error").length;
  const cases = findings.map(({ note, gate, model, rule, level, message, line }) => {
    const name = `${gate === "" ? rule : gate} (${model})`;
    const place = line === undefined ? "" : ` line="${line}"`;
    const head = `    <testcase classname="${xml(note)}" name="${xml(name)}" file="${xml(note)}"${place}>`;
    const body =
      level === "error"
        ? `<failure type="${xml(rule)}" message="${xml(message)}"/>`
        : `<system-out>${xml(message)}</system-out>`;
    return `${head}${body}</testcase>`;
  });
  const passing = `    <testcase classname="signoff" name="${pairs} pairs are fresh and pass"/>`;
  const listed = cases.length === 0 ? [passing] : cases;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${listed.length}" failures="${failures}" errors="0">`,
    `  <testsuite name="signoff notes check" tests="${listed.length}" failures="${failures}" errors="0" skipped="0">`,
    ...listed,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
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
        results: findings.map(({ note, gate, model, rule, level, message, line }) => ({
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
};

/** Workflow commands of GitHub Actions, one annotation a line. */
export function renderGitHub({ findings }: CiReport): string {
  return findings
    .map(({ note, gate, rule, level, message, line }) => {
      const title = gate === "" ? rule : `${rule}: ${gate}`;
      const properties = [
        `file=${property(note)}`,
        `line=${line ?? 1}`,
        `title=${property(title)}`,
      ];
      return `::${level} ${properties.join(",")}::${data(message)}\n`;
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

/** Characters that XML cannot hold at all become the replacement character. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}
