import { counted } from "../values/counted.ts";
import type { CheckRules, Matches } from "./check-rules.ts";
import { datesIn } from "./dates.ts";
import { extractEntries } from "./entries.ts";
import { type FindingDraft, visibleFinding } from "./finding.ts";
import { excerpt, firstLine, foldText, isLongerThan, trimmedLines } from "./folded-text.ts";
import type { Step } from "./manifest.ts";

export interface VisibleEvidence {
  readonly step: Step;
  readonly text: string;
  readonly replyType?: string;
}

/** Shapes that the engine can verify; any other word is for the analyst. */
export const CHECKED_SHAPES = [
  "direct_answer",
  "number",
  "date",
  "yes_no",
  "list",
  "table",
  "clarification",
] as const;

/** Judges what the person sees, before any technical payload is looked at. */
export function checkVisibleAnswer(
  evidence: VisibleEvidence,
  rules: CheckRules,
  matches: Matches,
): readonly FindingDraft[] {
  return [
    ...checkReplyType(evidence),
    ...checkDirectAnswer(evidence, matches),
    ...checkPatterns(evidence, matches),
    ...checkGarbage(evidence.text, rules),
    ...checkNoise(evidence, rules),
    ...checkShape(evidence),
  ];
}

function checkReplyType({ step, replyType }: VisibleEvidence): readonly FindingDraft[] {
  const allowed = step.expectations.allowedReplyTypes;
  if (allowed.length === 0 || (replyType !== undefined && allowed.includes(replyType))) return [];
  return [
    visibleFinding(
      "reply_type",
      `allowed_reply_types: ${allowed.join(", ")}`,
      `reply type ${replyType ?? "none"}`,
    ),
  ];
}

function checkDirectAnswer(
  { step, text }: VisibleEvidence,
  matches: Matches,
): readonly FindingDraft[] {
  const line = firstLine(text);
  const wanted = step.expectations.requiredDirectAnswerPatternsAny;
  if (line === "")
    return [visibleFinding("direct_answer_first", "an answer", "the answer is empty")];
  if (wanted.length === 0 || wanted.some((pattern) => matches(pattern, line))) return [];
  const below = trimmedLines(text).some((each) => wanted.some((pattern) => matches(pattern, each)));
  const where = below ? "the answer is further down; line 1 is" : "line 1 is";
  return [
    visibleFinding(
      "direct_answer_first",
      `required_direct_answer_patterns_any: ${wanted.join(" | ")}`,
      `${where} "${excerpt(line)}"`,
    ),
  ];
}

function checkPatterns({ step, text }: VisibleEvidence, matches: Matches): readonly FindingDraft[] {
  const { requiredAnswerPatternsAll, requiredAnswerPatternsAny, forbiddenAnswerPatterns } =
    step.expectations;
  const missing = requiredAnswerPatternsAll
    .filter((pattern) => !matches(pattern, text))
    .map((pattern) =>
      visibleFinding(
        "required_answer_content",
        `required_answer_patterns_all: ${pattern}`,
        excerpt(text),
      ),
    );
  const noneOfAny =
    requiredAnswerPatternsAny.length > 0 &&
    !requiredAnswerPatternsAny.some((pattern) => matches(pattern, text))
      ? [
          visibleFinding(
            "required_answer_content",
            `required_answer_patterns_any: ${requiredAnswerPatternsAny.join(" | ")}`,
            excerpt(text),
          ),
        ]
      : [];
  const forbidden = forbiddenAnswerPatterns
    .filter((pattern) => matches(pattern, text))
    .map((pattern) => {
      const line = trimmedLines(text).find((candidate) => matches(pattern, candidate)) ?? text;
      return visibleFinding(
        "forbidden_answer_content",
        `forbidden_answer_patterns: ${pattern}`,
        excerpt(line),
      );
    });
  return [...missing, ...noneOfAny, ...forbidden];
}

function checkGarbage(text: string, rules: CheckRules): readonly FindingDraft[] {
  const lines = trimmedLines(text).filter((line) => line !== "");
  const lowered = lines.map((line) => line.toLowerCase());
  return rules.garbageMarkers.flatMap((marker) => {
    const wanted = marker.toLowerCase();
    const index = lowered.findIndex((line) => hasMarker(line, wanted));
    const line = lines[index];
    return line === undefined
      ? []
      : [
          visibleFinding(
            index === 0 ? "technical_garbage_first_line" : "technical_garbage",
            `no technical marker "${marker}" in the visible answer`,
            excerpt(line),
          ),
        ];
  });
}

/** At the start of a word: `runtime_` is found in `runtime_plan`, `primitive` not inside another word. */
function hasMarker(line: string, marker: string): boolean {
  for (let at = line.indexOf(marker); at >= 0; at = line.indexOf(marker, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}_]/u.test(line[at - 1] ?? "")) return true;
  }
  return false;
}

function checkNoise({ text }: VisibleEvidence, rules: CheckRules): readonly FindingDraft[] {
  const line = firstLine(text);
  const folded = foldText(line);
  const drafts: FindingDraft[] = [];
  const isTalk = foldedPhrases(rules).some((phrase) => `${folded} `.startsWith(phrase));
  if (isTalk) {
    drafts.push(
      visibleFinding("top_level_noise", "line 1 answers and does not talk", excerpt(line)),
    );
  }
  if (/^(#{1,6}\s|```|\|)/.test(line)) {
    drafts.push(
      visibleFinding(
        "answer_layering",
        "line 1 is a sentence, evidence comes after it",
        excerpt(line),
      ),
    );
  }
  const filled = trimmedLines(text).filter((candidate) => candidate !== "").length;
  if (filled > rules.maxAnswerLines || isLongerThan(rules.maxAnswerCharacters, text)) {
    drafts.push(
      visibleFinding(
        "over_broad_answer",
        `at most ${rules.maxAnswerLines} lines and ${rules.maxAnswerCharacters} characters`,
        `${counted(filled, "line")}, ${[...text].length} characters`,
      ),
    );
  }
  if (isLongerThan(rules.maxFirstLineCharacters, line)) {
    drafts.push(
      visibleFinding(
        "style",
        `line 1 has at most ${rules.maxFirstLineCharacters} characters`,
        excerpt(line),
      ),
    );
  }
  return drafts;
}

const foldedOf = new WeakMap<CheckRules, readonly string[]>();

/** Each ends with a space, as a word does. Folded once for all answers that the same rules judge. */
function foldedPhrases(rules: CheckRules): readonly string[] {
  const known = foldedOf.get(rules);
  if (known !== undefined) return known;
  const folded = rules.noisePhrases.map((phrase) => `${foldText(phrase)} `);
  foldedOf.set(rules, folded);
  return folded;
}

function checkShape({ step, text, replyType }: VisibleEvidence): readonly FindingDraft[] {
  const shape = step.expectations.requiredAnswerShape;
  const holds = shape === undefined ? undefined : shapeTests[shape];
  return holds === undefined || holds(text, replyType)
    ? []
    : [visibleFinding("answer_shape", `required_answer_shape: ${shape}`, excerpt(firstLine(text)))];
}

const shapeTests: {
  readonly [shape: string]: ((text: string, replyType?: string) => boolean) | undefined;
} = Object.assign(Object.create(null), {
  direct_answer: (text: string) =>
    /^[^#|`>]/.test(firstLine(text)) && !firstLine(text).endsWith(":"),
  number: (text: string) => /\p{N}/u.test(firstLine(text)),
  date: (text: string) => datesIn(firstLine(text)).length > 0,
  yes_no: (text: string) => /^(yes|no|ja|nein|да|нет)(?!\p{L})/iu.test(firstLine(text)),
  list: (text: string) => extractEntries([], text).method !== "none",
  table: (text: string) => extractEntries([], text).method === "table",
  clarification: (text: string, replyType?: string) =>
    replyType === "clarification_required" || text.includes("?"),
} satisfies {
  [shape in (typeof CHECKED_SHAPES)[number]]: (text: string, replyType?: string) => boolean;
});
