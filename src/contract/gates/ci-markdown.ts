import { counted } from "../../domain/values/counted.ts";
import { visibleLine } from "../../domain/values/visible.ts";
import { type CiFinding, type CiReport, isOpen, ruleIdOf } from "./ci-report.ts";

const mostListed = 50;
const longestQuote = 200;
/** A comment on GitHub holds 65,536 characters. */
const longestMessage = 400;

/** A summary for a comment or a job's page: the result, then the worst findings first. */
export function renderCheckSummary({ title, folder, pairs, findings }: CiReport): string {
  const open = findings.filter(isOpen);
  const sorted = [...open].sort((a, b) => ranks[a.level] - ranks[b.level]);
  const errors = open.filter(({ level }) => level === "error").length;
  const result = errors === 0 ? "passed" : "failed";
  const more = sorted.length - mostListed;
  const suppressed = findings.length - open.length;
  return [
    markerOf(folder),
    `### ${plain(title)}: ${result}`,
    "",
    `${counted(pairs.length, "pair")}: ${sumOf(open) || "nothing to report"}${suppressed === 0 ? "" : `; ${suppressed} suppressed by rulings`}.`,
    ...(sorted.length === 0 ? [] : ["", "| | note | gate | finding |", "|---|---|---|---|"]),
    ...sorted.slice(0, mostListed).map(row),
    ...(more > 0 ? ["", `… and ${more} more.`] : []),
    "",
  ].join("\n");
}

/** By this line a comment is found again, so that it is updated and not repeated. Each project has its own. */
function markerOf(folder: string): string {
  return `<!-- signoff notes ${folder === "" ? "" : `${encodeURIComponent(folder)} `}-->`;
}

const ranks = { error: 0, warning: 1, note: 2 };

function sumOf(open: readonly CiFinding[]): string {
  const levels = (["error", "warning", "note"] as const).map((level) =>
    counted(open.filter((one) => one.level === level).length, level),
  );
  return levels.filter((one) => !one.startsWith("0 ")).join(", ");
}

function row(finding: CiFinding): string {
  const { level, note, line, message, quote, mend } = finding;
  const place = `${visibleLine(note)}${line === undefined ? "" : `:${line}`}`;
  const said = [
    plain(clipped(message, longestMessage)),
    ...(quote === undefined
      ? []
      : [`<blockquote>${plain(clipped(quote, longestQuote))}</blockquote>`]),
    ...(mend === undefined ? [] : [plain(mend)]),
  ];
  return `| ${level} | ${code(place)} | ${code(ruleIdOf(finding))} | ${said.join("<br>")} |`;
}

function clipped(text: string, most: number): string {
  const signs = [...text];
  return signs.length <= most ? text : `${signs.slice(0, most).join("")}…`;
}

/** Untrusted text: nothing of it is markup, a mention, a link or a line break. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_{}[\]()#!|<>&@~:]/g, (sign) => `&#${sign.codePointAt(0)};`);
}

function code(text: string): string {
  return `<code>${plain(text)}</code>`;
}
