import { stripReasoning } from "./reasoning.ts";

const wholeFence = /^(`{3,}|~{3,})[^\n`]{0,100}\n/u;
const subject =
  "(?:(?:final|new|revised|improved|updated|best|my|your|the|a|here is|here's|here’s)\\s+){0,4}(?:slogan|tagline|headline|text|draft|candidate|answer|output)";
const label = new RegExp(`^[*_#\\s]{0,8}${subject}[*_]{0,3}\\s?[:：][*_]{0,3}\\s*`, "iu");
const longestLabel = 120;

const quotes: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["“", "”"],
  ["«", "»"],
  ["„", "“"],
  ["‘", "’"],
  ["'", "'"],
  ["`", "`"],
];

/** The text itself, out of what chat models wrap around it: one fence, one label, one pair of quotes. */
export function plainText(text: string): string {
  return withoutQuotes(withoutLabel(withoutFence(text.trim())));
}

/** A text that is itself fenced, labelled or quoted gets a pair of quotes, so that reading it changes nothing. */
export function writePlainText(text: string): string {
  const forms = [text, ...quotes.map(([open, close]) => open + text + close)];
  return forms.find((form) => plainText(stripReasoning(form)) === text) ?? text;
}

const emphasis = [
  /(\*\*|__)(?=\S)(.{1,2000}?)(?<=\S)\1/gu,
  /(?<![\w*])([*_])(?=[^\s*_])([^*_]{1,2000})(?<=\S)\1(?![\w*])/gu,
  /^(\*{1,3}|_{1,3})\s+([^*_]{1,2000}?)\s+\1$/gu,
];

/** A line that may not hold markdown, without headings, bold, italics and, around the whole, quotes. */
export function withoutMarks(text: string): string {
  let bare = text.replace(/^#{1,6}\s+/u, "");
  for (const marks of emphasis) bare = bare.replace(marks, "$2");
  return bare === text ? text : withoutQuotes(bare.trim());
}

function withoutFence(text: string): string {
  const opening = wholeFence.exec(text);
  const fence = opening?.[1];
  if (opening === null || fence === undefined || !text.endsWith(`\n${fence}`)) return text;
  const inside = text.slice(opening[0].length, -fence.length);
  return inside.includes(`\n${fence}`) ? text : inside.trim();
}

function withoutLabel(text: string): string {
  const match = label.exec(text.slice(0, longestLabel));
  const rest = match === null ? text : text.slice(match[0].length).trim();
  return rest === "" ? text : rest;
}

function withoutQuotes(text: string): string {
  for (const [open, close] of quotes) {
    const inside = text.slice(open.length, -close.length);
    const isOnePair = !inside.includes(open) && !inside.includes(close);
    if (text.length > 2 && text.startsWith(open) && text.endsWith(close) && isOnePair) {
      return inside.trim();
    }
  }
  return text;
}
