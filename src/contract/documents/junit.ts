import { defined } from "../../domain/values/defined.ts";
import { visibleText } from "../../domain/values/visible.ts";

export interface JUnitReport {
  readonly name?: string;
  readonly suites: readonly JUnitSuite[];
}

export interface JUnitSuite {
  readonly name: string;
  readonly cases: readonly JUnitCase[];
}

export interface JUnitCase {
  readonly classname: string;
  readonly name: string;
  readonly seconds?: number;
  /** Absent: it passed. */
  readonly result?:
    | {
        readonly kind: "failure";
        readonly type: string;
        readonly message?: string;
        readonly text?: string;
      }
    | { readonly kind: "skipped" }
    | { readonly kind: "output"; readonly text: string };
}

/** JUnit XML as CI systems read it. */
export function renderJUnit({ name, suites }: JUnitReport): string {
  const { tests, failures } = countsOf(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ ...defined({ name }), tests, failures })}>`,
    ...suites.flatMap(suiteLines),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteLines({ name, cases }: JUnitSuite): readonly string[] {
  const { tests, failures, skipped } = countsOf(cases);
  return [
    `  <testsuite${attributes({ name, tests, failures, errors: 0, skipped })}>`,
    ...cases.map((one) => `    ${caseElement(one)}`),
    "  </testsuite>",
  ];
}

function countsOf(cases: readonly JUnitCase[]) {
  const count = (kind: string) => cases.filter(({ result }) => result?.kind === kind).length;
  return { tests: cases.length, failures: count("failure"), skipped: count("skipped") };
}

function caseElement({ result, seconds, ...named }: JUnitCase): string {
  const about = seconds === undefined ? named : { ...named, time: seconds };
  switch (result?.kind) {
    case undefined:
      return element("testcase", about);
    case "skipped":
      return element("testcase", about, element("skipped", {}));
    case "output":
      return element("testcase", about, element("system-out", {}, escaped(result.text)));
    case "failure": {
      const { type, message, text } = result;
      const said = { type, ...defined({ message }) };
      return element("testcase", about, element("failure", said, escaped(text ?? "")));
    }
  }
}

type Attributes = { readonly [name: string]: string | number };

function element(tag: string, named: Attributes, content = ""): string {
  const head = `<${tag}${attributes(named)}`;
  return content === "" ? `${head}/>` : `${head}>${content}</${tag}>`;
}

function attributes(named: Attributes): string {
  return Object.entries(named)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replace(/[\t\n]/g, reference)}"`)
    .join("");
}

/**
 * Safe in text and attributes. What acts on whoever prints the report is shown by its number, and what XML cannot hold at
 * all becomes the replacement character.
 */
function escaped(text: string): string {
  return visibleText(text)
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"']/g, reference);
}

function reference(sign: string): string {
  return names[sign] ?? `&#${sign.codePointAt(0)};`;
}

const names: { readonly [sign: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
