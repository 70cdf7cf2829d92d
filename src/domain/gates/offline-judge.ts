import { sentencesOf } from "../values/sentences.ts";
import type { ReviewDecision } from "./decision.ts";
import type { NoteFinding } from "./findings.ts";
import type { NoteParts, ProseBlock } from "./note-parts.ts";
import { worstOf } from "./rule-gate.ts";

export interface OfflineReview {
  readonly decision: ReviewDecision;
  readonly summary: string;
  /** Each names the check it comes from; the decision follows from these and nothing else. */
  readonly findings: readonly NoteFinding[];
}

type Check = (note: NoteParts) => readonly NoteFinding[];

/** A stand-in for a model on the gates we ship. It sees only what its checks can see, and names them. */
export function judgeOffline(gateId: string, note: NoteParts): OfflineReview {
  const check = Object.hasOwn(checks, gateId) ? checks[gateId] : undefined;
  if (check === undefined)
    return {
      decision: "unknown",
      summary: `The offline judge has no check for ${gateId}; ask a model.`,
      findings: [],
    };
  const findings = check(note);
  const summary = `The offline check for ${gateId} found ${findings.length || "nothing"}.`;
  return { decision: worstOf(findings), summary, findings };
}

export function offlineGates(): readonly string[] {
  return Object.keys(checks).sort();
}

const checks: { readonly [gateId: string]: Check } = {
  "prose/stock-phrases": phraseCheck(
    "stock-phrases",
    "at the end of the day|game changer|in today's fast-paced world|it goes without saying|it is important to note|move the needle|needless to say|state of the art",
  ),
  "prose/overclaiming": phraseCheck(
    "overclaiming",
    "guaranteed to|it is obvious that|nobody can deny|proves beyond doubt|without exception",
  ),
  "prose/source-residue": phraseCheck(
    "source-residue",
    "as mentioned in the video|in this article|in this chapter|in this episode|the author argues|this paper",
  ),
  "prose/unsourced-figures": unsourcedFigures,
  "semantic/undefined-abbreviations": undefinedAbbreviations,
  "semantic/title-body-alignment": titleBodyAlignment,
  "frontmatter/description-adds": descriptionAdds,
};

function phraseCheck(name: string, phrases: string): Check {
  return (note) =>
    note.prose.flatMap((block) => {
      const text = block.text.replace(/[’‘]/g, "'").toLowerCase();
      return phrases
        .split("|")
        .filter((phrase) => text.includes(phrase))
        .map((phrase) => warn(name, `"${phrase}" says nothing of its own.`, phrase, block));
    });
}

/** A percentage or a large number in a sentence of a paragraph that links to nothing. */
function unsourcedFigures(note: NoteParts): readonly NoteFinding[] {
  return note.prose.flatMap((block) => {
    const end = block.line + block.text.split("\n").length;
    if (note.links.some(({ line }) => line >= block.line && line < end)) return [];
    return sentencesOf(block.text)
      .filter((sentence) => /\d(?:[.,]\d+)?\s?(?:%|percent|million|billion)/i.test(sentence))
      .map((sentence) => warn("unsourced-figures", "A figure without a source.", sentence, block));
  });
}

/** Capitals of three to six letters that are nowhere spelled out in brackets or before them. */
function undefinedAbbreviations(note: NoteParts): readonly NoteFinding[] {
  const text = note.prose.map((block) => block.text).join("\n");
  const seen = new Set<string>();
  return note.prose.flatMap((block) =>
    (block.text.match(/\b[A-Z]{3,6}\b/g) ?? []).flatMap((short) => {
      const spelled = text.includes(`(${short})`) || new RegExp(`\\b${short} \\(`).test(text);
      if (spelled || seen.has(short)) return [];
      seen.add(short);
      return [warn("undefined-abbreviations", `${short} is never spelled out.`, short, block)];
    }),
  );
}

/** Fewer than half of the title's words of four letters or more occur in the body. */
function titleBodyAlignment(note: NoteParts): readonly NoteFinding[] {
  if (note.title === undefined)
    return [{ severity: "fail", message: "title-body-alignment: the note has no title." }];
  const words = contentWords(note.title);
  const body = new Set(contentWords(note.prose.map(({ text }) => text).join(" ")).map(stemOf));
  const found = words.filter((word) => body.has(stemOf(word)));
  if (words.length === 0 || found.length * 2 >= words.length) return [];
  return [
    {
      severity: "fail",
      message: `title-body-alignment: ${found.length} of ${words.length} words of the title occur in the body.`,
      quote: note.title,
    },
  ];
}

function descriptionAdds(note: NoteParts): readonly NoteFinding[] {
  if (note.description === undefined)
    return [{ severity: "fail", message: "description-adds: there is no description." }];
  const title = new Set(contentWords(note.title ?? "").map(stemOf));
  const added = contentWords(note.description).filter((word) => !title.has(stemOf(word)));
  if (added.length >= 2) return [];
  return [
    {
      severity: "warn",
      message: "description-adds: the description repeats the title.",
      quote: note.description,
    },
  ];
}

function contentWords(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [])];
}

/** Enough to meet plural and tense; not linguistics. */
function stemOf(word: string): string {
  return word.length > 5 ? word.slice(0, 5) : word.replace(/s$/, "");
}

function warn(check: string, message: string, quote: string, block: ProseBlock): NoteFinding {
  return { severity: "warn", message: `${check}: ${message}`, quote, line: block.line };
}
