import { defined } from "../../domain/values/defined.ts";
import { type JUnitCase, renderJUnit } from "../documents/junit.ts";
import { type CiFinding, type CiPair, type CiReport, isOpen, withQuote } from "./ci-report.ts";

/** One case per pair, and one for each thing that is about no pair. */
export function renderCheckJUnit({ title, pairs, findings }: CiReport): string {
  const byPair = Map.groupBy(findings, keyOf);
  const known = new Set(pairs.map(keyOf));
  const others = findings.filter((one) => !known.has(keyOf(one)) && isOpen(one));
  const cases = [
    ...others.map((finding) => caseOf(finding, [finding])),
    ...pairs.map((pair) => caseOf(pair, byPair.get(keyOf(pair)) ?? [])),
  ];
  return renderJUnit({ suites: [{ name: title, cases }] });
}

function keyOf({ note, gate, model }: CiPair): string {
  return `${note}\n${gate}\n${model}`;
}

function caseOf(
  about: CiPair & { readonly rule?: string },
  found: readonly CiFinding[],
): JUnitCase {
  const { note, gate, model, rule = "" } = about;
  const open = found.filter(isOpen);
  const name = gate === "" ? rule : `${gate}${model === "" ? "" : ` (${model})`}`;
  const result = resultOf(found, open);
  return { classname: note, name, ...defined({ result }) };
}

function resultOf(found: readonly CiFinding[], open: readonly CiFinding[]): JUnitCase["result"] {
  const [error] = open.filter(({ level }) => level === "error");
  const text = found.map(textOf).join("\n\n");
  if (error !== undefined)
    return { kind: "failure", type: error.rule, message: error.message, text };
  return found.length === 0 ? undefined : { kind: "output", text };
}

function textOf(finding: CiFinding): string {
  const { level, line, suppressed, mend } = finding;
  return [
    `${level}${line === undefined ? "" : ` in line ${line}`}: ${withQuote(finding)}`,
    ...(suppressed === undefined ? [] : [`suppressed: ${suppressed}`]),
    ...(mend === undefined ? [] : [mend]),
  ].join("\n");
}
