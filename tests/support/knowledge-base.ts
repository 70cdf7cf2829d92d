import type { NotesRepository } from "./notes-repository.ts";

/** Names of the checks of a public knowledge base; what they ask is written here. */
const lenses = {
  accessibility: [
    "jargon-persistence",
    "notation-opacity",
    "undefined-terms",
    "unidentified-references",
  ],
  complexity: [
    "claim-to-section-ratio",
    "connection-inflation",
    "could-be-a-paragraph",
    "framework-decoration",
  ],
  frontmatter: [
    "claim-strength",
    "description-discrimination",
    "title-as-claim",
    "title-body-alignment",
    "title-composability",
  ],
  prose: [
    "anthropomorphic-framing",
    "bridge-paragraph-duplication",
    "confidence-miscalibration",
    "orphan-references",
    "proportion-mismatch",
    "pseudo-formalism",
    "redundant-restatement",
    "source-residue",
    "unbridged-cross-domain",
  ],
  semantic: [
    "completeness-boundary-cases",
    "conceptual-role-conflation",
    "epistemic-status-blur",
    "explanatory-reach",
    "explication-quality",
    "grounding-alignment",
    "internal-consistency",
    "load-bearing-qualifiers",
    "underspecified-assertions",
    "unearned-generality",
    "unwarranted-scope",
  ],
  sentence: [
    "clause-packing",
    "concept-attribution",
    "framing-mismatch",
    "misleading-link-text",
    "parsing-ambiguity",
    "stock-phrases",
  ],
  structural: ["bullet-capitalization", "compound-bullet", "general-before-specific"],
} as const;

const needsClaim = new Set([
  "claim-strength",
  "title-as-claim",
  "title-composability",
  "explanatory-reach",
  "load-bearing-qualifiers",
  "unearned-generality",
  "unwarranted-scope",
]);
const withoutWatches = new Set(["accessibility", "sentence"]);

export const gateFolder = "kb/instructions/review-gates";

export const gateIds = Object.entries(lenses).flatMap(([lens, names]) =>
  names.map((name) => `${lens}/${name}`),
);

/** 42 gates with the keys that the original program writes, and those it never reads. */
export function writeGates(base: NotesRepository): void {
  base.write(`${gateFolder}/README.md`, "# Review gates\n\nOne check per file.\n");
  for (const id of gateIds) {
    const [lens = "", name = ""] = id.split("/");
    const head = [
      `gate_id: ${id}`,
      `name: ${name}`,
      `lens: ${lens}`,
      `description: Looks for ${name.replaceAll("-", " ")}`,
      ...(withoutWatches.has(lens) ? [] : ["watches: [body, title, description]"]),
      `staleness: ${name === "internal-consistency" ? "rewrite(0.5)" : "changed"}`,
      ...(needsClaim.has(name) ? ["requires_trait: title-as-claim"] : []),
      ...(name === "explication-quality" ? ["requires-type: definition"] : []),
    ];
    const words = name.replaceAll("-", " ");
    const body = `## Failure mode\n\nThe note suffers from ${words}.\n\n## Test\n\nLook for ${words}.\n`;
    base.write(`${gateFolder}/${id}.md`, `---\n${head.join("\n")}\n---\n${body}`);
  }
}

export interface BaseNote {
  readonly path: string;
  readonly isClaim: boolean;
  readonly isDefinition: boolean;
}

const subjects = [
  "dough",
  "ovens",
  "flour",
  "prices",
  "shelves",
  "orders",
  "starters",
  "deliveries",
];

/** Notes in three folders, linked with one another in the ways that people link. */
export function writeNotes(base: NotesRepository, count: number): readonly BaseNote[] {
  const notes = Array.from({ length: count }, (_, at) => ({
    path: pathOf(at),
    isClaim: at % 4 === 0,
    isDefinition: at % 10 === 3,
  }));
  for (const [at, note] of notes.entries()) base.write(note.path, noteText(at, note, count));
  return notes;
}

function pathOf(at: number): string {
  const name = `${subjects[at % subjects.length]}-${at}.md`;
  if (at % 10 === 3) return `kb/notes/definitions/${name}`;
  return at % 10 === 7 ? `kb/reference/${name}` : `kb/notes/${name}`;
}

function noteText(at: number, { isClaim, isDefinition }: BaseNote, count: number): string {
  const subject = subjects[at % subjects.length];
  const next =
    pathOf((at + 1) % count)
      .split("/")
      .at(-1) ?? "";
  const head = [
    `description: What the bakery learned about ${subject} in trial ${at}`,
    `type: ${isDefinition ? "definition" : "note"}`,
    `traits: [${isClaim ? "title-as-claim" : ""}]`,
    `tags: [${subject}]`,
    "status: current",
  ];
  return `---\n${head.join("\n")}\n---\n# Trial ${at} settles how ${subject} are kept\n\nTrial ${at} compared two ways to keep ${subject}.\n\nThe second way won; see [[${next.replace(/\.md$/, "")}]].\n`;
}

/** How many of the 42 gates apply to a note. */
export function gatesFor({ isClaim, isDefinition }: BaseNote): readonly string[] {
  return gateIds.filter((id) => {
    const name = id.split("/")[1] ?? "";
    if (needsClaim.has(name)) return isClaim;
    return name !== "explication-quality" || isDefinition;
  });
}
