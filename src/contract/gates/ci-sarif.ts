import { lensOf } from "../../domain/gates/snapshots.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { version } from "../../domain/values/version.ts";
import {
  type CiFinding,
  type CiGate,
  type CiReport,
  ruleDescriptions,
  ruleIdOf,
  withQuote,
} from "./ci-report.ts";

/** SARIF 2.1.0: gates are the rules, findings the results, rulings the suppressions. */
export function renderSarif({ findings, gates }: CiReport): Json {
  const known = new Map(gates.map((gate) => [gate.id, gate]));
  const ids = [...new Set(findings.map(ruleIdOf))].sort();
  const places = new Map(ids.map((id, at) => [id, at]));
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
            rules: ids.map((id) => ruleOf(id, known.get(id))),
          },
        },
        automationDetails: { id: "signoff/notes/" },
        columnKind: "unicodeCodePoints",
        results: findings.map((finding) => resultOf(finding, places)),
      },
    ],
  };
}

function ruleOf(id: string, gate: CiGate | undefined): Json {
  const rule = id.slice(id.lastIndexOf("/") + 1);
  if (gate === undefined) {
    const text = ruleDescriptions[rule] ?? `The gate ${id} does not exist any more`;
    return { id, name: nameOf(rule), shortDescription: { text } };
  }
  const { description = id, body, failLevel } = gate;
  return {
    id,
    name: nameOf(rule),
    shortDescription: { text: description },
    fullDescription: { text: firstParagraph(body) || description },
    help: { text: body || description, markdown: body || description },
    defaultConfiguration: { level: failLevel === "warn" ? "error" : "warning" },
    properties: { tags: ["notes", ...(lensOf(id) === "" ? [] : [lensOf(id)])] },
  };
}

/** `source-residue` as `SourceResidue`, the form that viewers expect of a name. */
function nameOf(rule: string): string {
  return rule
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

function firstParagraph(body: string): string {
  return body.split(/\n\s*\n/).find((one) => !one.startsWith("#")) ?? "";
}

function resultOf(finding: CiFinding, places: ReadonlyMap<string, number>): Json {
  const { note, model, rule, level, line, quote, suppressed, fingerprint, mend } = finding;
  const ruleId = ruleIdOf(finding);
  return {
    ruleId,
    ruleIndex: places.get(ruleId) ?? -1,
    level,
    message: { text: withQuote(finding) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(note) },
          region: {
            startLine: line ?? 1,
            ...(quote === undefined || line === undefined ? {} : { snippet: { text: quote } }),
          },
        },
      },
    ],
    partialFingerprints: { "signoffFinding/v1": fingerprint },
    ...(suppressed === undefined
      ? {}
      : { suppressions: [{ kind: "external", status: "accepted", justification: suppressed }] }),
    properties: { reason: rule, ...(model === "" ? {} : { model }), ...defined({ mend }) },
  };
}

function uriOf(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
