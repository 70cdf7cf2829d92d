const numbers = "zero one two three four five six seven eight nine ten".split(" ");
const separators = /\s*(?:[,;/]|\b(?:and|or)\b)\s*/iu;
const oneCount =
  /^(?:(no|\d{1,4}|zero|one|two|three|four|five|six|seven|eight|nine|ten)\s+)?(pass|ok|info|warn(?:ing)?|fail(?:ure)?|error|finding|issue|violation|problem)s?(?:\s+findings?)?(?:\s+(?:found|noted))?$/iu;
const longest = 120;

export type Counted = "pass" | "warn" | "fail";

/**
 * What a count of findings such as "No WARN, two INFO" comes to: the worst severity of which there is at least one.
 * Absent for every other text. Findings without a severity are worse than a pass.
 */
export function readCounts(text: string): Counted | undefined {
  if (text.length > longest) return undefined;
  const bare = text.replace(/^[\s*_`(]+|[\s*_`).!]+$/gu, "");
  if (bare === "") return undefined;
  let worst: Counted = "pass";
  let number = Number.NaN;
  for (const part of bare.split(separators)) {
    if (part === "") continue;
    const match = oneCount.exec(part);
    if (match === null) return undefined;
    if (match[1] !== undefined) number = numberOf(match[1].toLowerCase());
    if (Number.isNaN(number)) return undefined;
    if (number > 0) worst = worseOf(worst, severityOf(match[2] ?? ""));
  }
  return Number.isNaN(number) ? undefined : worst;
}

function numberOf(word: string): number {
  if (word === "no") return 0;
  const at = numbers.indexOf(word);
  return at === -1 ? Number(word) : at;
}

function severityOf(word: string): Counted {
  if (/^(?:warn|finding|issue|violation|problem)/iu.test(word)) return "warn";
  return /^(?:pass|ok|info)/iu.test(word) ? "pass" : "fail";
}

const ranks: { readonly [counted in Counted]: number } = { pass: 0, warn: 1, fail: 2 };

function worseOf(one: Counted, other: Counted): Counted {
  return ranks[one] >= ranks[other] ? one : other;
}
