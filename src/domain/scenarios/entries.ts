import type { Json } from "../values/json.ts";
import { trimmedLines } from "./folded-text.ts";

export interface ExtractedEntries {
  readonly entries: readonly Json[];
  /** Where they come from; text is a guess, the payload is not. */
  readonly method: "payload" | "table" | "list" | "none";
}

const LIST_LINE = /^(?:[-*•]|\d{1,4}[.)])\s+(.+)$/u;
const TABLE_RULE = /^\|?[\s:|-]+\|?$/;

/** Rows of the payload, else of the first markdown table, else of the bulleted or numbered lines. */
export function extractEntries(payload: readonly Json[], text: string): ExtractedEntries {
  if (payload.length > 0) return { entries: payload, method: "payload" };
  const lines = trimmedLines(text);
  const table = tableRows(lines);
  if (table.length > 0) return { entries: table, method: "table" };
  const items = lines.flatMap((line) => {
    const item = LIST_LINE.exec(line)?.[1];
    return item === undefined ? [] : [{ item: itemName(item), text: item }];
  });
  return { entries: items, method: items.length > 0 ? "list" : "none" };
}

function tableRows(lines: readonly string[]): readonly Json[] {
  const rule = lines.findIndex(
    (line, index) => index > 0 && line.includes("-") && line.includes("|") && TABLE_RULE.test(line),
  );
  const head = rule < 0 ? undefined : lines[rule - 1];
  if (head === undefined || !head.includes("|")) return [];
  const names = cells(head).map((name) => name.toLowerCase().replace(/\s+/g, "_"));
  const after = lines.slice(rule + 1);
  const end = after.findIndex((line) => !line.includes("|"));
  return after.slice(0, end < 0 ? undefined : end).map((line) => {
    const values = cells(line);
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
  });
}

function cells(line: string): readonly string[] {
  return line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

/** The name in `Oak desk: 12 pieces` and `Oak desk — 12`. */
function itemName(line: string): string {
  return (line.split(/\s[—–-]\s|:\s/)[0] ?? line).replaceAll("*", "").trim();
}
