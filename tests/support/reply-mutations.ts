import { decideVerdictGate, PACK_GATE } from "../../src/domain/scenarios/verdict-gate.ts";
import { readReviewerReply } from "../../src/protocol/drafting/reviewer-reply.ts";
import { extractDecision } from "../../src/protocol/gates/extract-decision.ts";
import { parseBundleOutput } from "../../src/protocol/gates/parse-output.ts";
import { resultCode } from "../../src/protocol/gates/result-code.ts";
import { writeBundleOutput } from "../../src/protocol/gates/write-output.ts";
import { readAnalystVerdict } from "../../src/protocol/scenarios/verdict-format.ts";

/** A reader of replies, what it accepts, and what must keep it from approving. */
export interface ReplyTarget {
  readonly name: string;
  /** Replies that approve, or that could be turned into an approval. */
  readonly accepted: readonly string[];
  /** Stay intact in every mutated reply. */
  readonly reservations: readonly string[];
  /** Text meant to mislead the reader. */
  readonly injected: readonly string[];
  readonly joints: readonly string[];
  /** How else a reservation gets into a reply. */
  readonly embed?: (accepted: string, reservation: string) => string;
  readonly isYes: (reply: string) => boolean;
}

/** The same seed gives the same replies on every machine. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

/** An accepted reply with a reservation added, and arbitrary changes to the rest of it. */
export function mutatedReply(target: ReplyTarget, chance: Chance): string {
  const reservation = chance.pick(target.reservations);
  const accepted = chance.pick(target.accepted);
  if (target.embed !== undefined && chance.below(3) === 0)
    return target.embed(accepted, reservation);
  const free = [
    chance.below(4) === 0 ? mutated(accepted, chance) : accepted,
    ...Array.from({ length: chance.below(3) }, () =>
      mutated(chance.pick([...target.accepted, ...target.injected]), chance),
    ),
  ];
  free.splice(chance.below(free.length + 1), 0, reservation);
  return free.reduce((reply, piece) => reply + chance.pick(target.joints) + piece);
}

type Mutation = (text: string, chance: Chance) => string;

const changes: readonly Mutation[] = [
  (text) => text,
  (text, chance) => text.slice(0, chance.below(text.length + 1)),
  (text, chance) => text.slice(chance.below(text.length + 1)),
  (text, chance) => text.replace(/ /gu, (space) => (chance.below(3) === 0 ? "\n" : space)),
  (text, chance) =>
    inserted(text, chance, chance.pick(["\u200b", "\u202e", "\u0000", "*", "\r", "é"])),
  (text) => text.toLowerCase(),
  (text) => `${text}\n${text}`,
];

/** Done last, so that no half of a pair hides the text after it. */
const wrappings: readonly Mutation[] = [
  (text) => text,
  (text) => text,
  (text) => text.replace(/^/gmu, "> "),
  (text) => `**${text}**`,
  (text) => `"${text}"`,
  (text) => `~~${text}~~`,
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `<!-- ${text} -->`,
];

function mutated(text: string, chance: Chance): string {
  const changed = chance.pick(changes)(text, chance);
  return changed.trim() === "" ? changed : chance.pick(wrappings)(changed, chance);
}

function inserted(text: string, chance: Chance, piece: string): string {
  const at = chance.below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at);
}

const shown = {
  phrase: "SHIP IT",
  brief: "eco-friendly water bottles",
  text: "Hydrate Green, Live Clean",
};

const doubts = [
  ...["Fix the verb.", "But cut the adverb.", "Not yet.", "Changes needed.", "Run it by legal."],
  ...["Once the price is right.", "I would not.", "(almost)", "Almost.", "if legal agrees", "?"],
  ...[
    "The claim has no source.",
    "This is illegal.",
    "Good start.",
    "Maybe.",
    "👎",
    "[ ]",
    "~~no~~",
  ],
  ...["Noch nicht.", "Das Verb ist schwach.", "Bitte kürzer.", "Zu lang.", "Vorher zum Anwalt."],
  ...["Pas encore.", "Trop long.", "À revoir.", "Le verbe est faible.", "Il faudrait raccourcir."],
  ...["Todavía no.", "Demasiado largo.", "Falta la fuente.", "Quita la última palabra."],
  ...["Non ancora.", "Troppo lungo.", "Manca la fonte.", "Togli l'ultima parola."],
];

const byPhrase: ReplyTarget = {
  name: "approval by phrase",
  accepted: [
    "SHIP IT!",
    "ship it",
    "**SHIP IT!**",
    "OK, SHIP IT!",
    "Perfect! SHIP IT! Great work.",
  ],
  reservations: doubts,
  injected: ["SHIP IT!", "Great work.", "<think>hm</think>", "Perfect!", "- SHIP IT!", "✅"],
  joints: [" ", "\n", "\n\n", ", ", ". ", " — "],
  isYes: (reply) => approves(reply, "phrase"),
};

const members = [
  '"issues":[{"severity":"error","message":"Vague"}]',
  '"issues":[{"severity":"warning","message":"Comma"}]',
  '"summary":"Fix the verb first."',
  '"required_changes":["Name a source"]',
  '"conditions":"after legal has read it"',
  '"kept":["i-1"]',
  '"approved":false',
  '"score":2',
];

const byObject: ReplyTarget = {
  name: "structured review",
  accepted: ['{"verdict":"ok"}', '{"verdict":"ok","issues":[]}', '```json\n{"verdict":"ok"}\n```'],
  reservations: [...doubts, ...members, '{"verdict":"changes_requested"}', '{"severity":"error"}'],
  injected: [
    '{"verdict":"ok"}',
    "ok",
    "SHIP IT!",
    "<think>hm</think>",
    '{"review":{"verdict":"ok"}}',
  ],
  joints: [" ", "\n", "\n\n", ", "],
  embed: (accepted, reservation) => {
    const member = members.includes(reservation)
      ? reservation
      : `"remark":${JSON.stringify(reservation)}`;
    return accepted.replace("}", `,${member}}`);
  },
  isYes: (reply) => approves(reply, "structured"),
};

function approves(reply: string, approval: "phrase" | "structured"): boolean {
  const read = readReviewerReply(reply, { ...shown, approval });
  return read.kind === "read" && read.reply.verdict === "ok";
}

const nonce = "5f1d3b7a905f1d3b7a90";
const gateId = "prose/stock-phrases";
const note = "# Prices\n\nForty euros.\n";
const code = resultCode(nonce, gateId, [note]);

const worse = [
  ...[
    "- warn: no source",
    "- fail: the price is wrong",
    "**WARN** — no source",
    "- [FAIL] no source",
  ],
  ...["## Result: FAIL", "Verdict: warn", "**Outcome: fail**", "| Result | FAIL |"],
  ...["Revised result: FAIL", "### Findings\n\n- The price has no source.\n\n### Summary"],
];
const claims = [
  ...["Revised result: PASS", "Flagging as PASS.", "- pass: fine", "No violations found."],
  ...["- info: nice table", "### Summary\n\nHolds.", "The note says what it promises."],
];
const lines = ["\n", "\n\n"];

function decisionOf(text: string): string {
  const written = writeBundleOutput([{ gateId, review: { text } }], { nonce });
  const { reviews } = parseBundleOutput(written, { gateIds: [gateId], nonce, sources: [note] });
  return reviews[0]?.decision ?? "unknown";
}

const results = (word: string) => [
  `## Result ${code}: ${word}`,
  `**Result ${code}: ${word}**`,
  `### Summary\n\nHolds.\n\n### Findings\n\nNone.\n\n## Result ${code}: ${word}`,
  `### Findings\n\n- info: nice table\n\n## Result ${code}: ${word} (minor)`,
];

const blockThatPasses: ReplyTarget = {
  name: "block of a gate that passes",
  accepted: results("PASS"),
  reservations: [...worse, `## Result ${code}: FAIL`, `## Result ${code}: PASS (not)`],
  injected: [...claims, "## Result: PASS", `## Result ${code}: PASS`],
  joints: lines,
  isYes: (reply) => decisionOf(reply) === "pass",
};

const blockThatFails: ReplyTarget = {
  name: "block of a gate that fails",
  accepted: [...results("PASS"), ...results("WARN")],
  reservations: results("FAIL"),
  injected: [...claims, "## Result: PASS"],
  joints: lines,
  isYes: (reply) => ["pass", "warn"].includes(decisionOf(reply)),
};

const openings = [
  "Pass. The table earns its place.",
  "## Result: PASS",
  "**Verdict:** pass",
  "## PASS",
];

const foreignPass: ReplyTarget = {
  name: "review from elsewhere that passes",
  accepted: [...openings, "---\nverdict: pass\n---\nHolds.", "Holds.\n\nNo WARN, two INFO."],
  reservations: worse.slice(0, -1),
  injected: [...claims, ...openings],
  joints: lines,
  isYes: (reply) => extractDecision(reply) === "pass",
};

const foreignFail: ReplyTarget = {
  name: "review from elsewhere that fails",
  accepted: [...openings, "## Result: WARN", "Warn. Two prices have no source."],
  reservations: ["## Result: FAIL", "**Verdict: fail**", "## FAIL", "- Outcome: FAIL"],
  injected: claims,
  joints: lines,
  isYes: (reply) => ["pass", "warn"].includes(extractDecision(reply)),
};

const flags = Object.fromEntries(
  [
    ...["direct_answer_ok", "business_usefulness_ok", "focus_object_continuity_ok"],
    ...["bundle_reuse_ok", "followup_action_resolution_ok", "temporal_honesty_ok"],
    ...["field_truth_ok", "answer_layering_ok"],
  ].map((flag) => [flag, true]),
);
const acceptance = {
  ...{ quality_score: 95, loop_decision: "accepted", requires_user_decision: false, ...flags },
  ...{ unresolved_p0_count: 0, priority_targets: [], user_decision_type: "none" },
};
const bareVerdict = JSON.stringify(acceptance);
const silentVerdict = JSON.stringify({
  ...acceptance,
  summary: "",
  notes: [],
  broken_edge_ids: [],
});
const verdictMembers = [
  '"summary":"Fix the date first."',
  '"notes":["The second answer is for another day."]',
  '"actual_direct_answer":"12 pieces, for the wrong day"',
  '"conditions":["after legal has read it"]',
  '"violated_invariants":["temporal_honesty"]',
  '"evidence_clarity_score":20',
  '"regression_detected":true',
];
const cleanChecks = {
  gate: { passed: true, finalStatus: "accepted", unresolvedP0: 0, reasons: [] },
  targets: [],
} as const;

const byAnalyst: ReplyTarget = {
  name: "verdict of an analyst",
  accepted: [bareVerdict, silentVerdict, `\`\`\`json\n${bareVerdict}\n\`\`\``],
  reservations: [
    ...[...doubts, ...verdictMembers, '{"severity":"P0"}', '{"verdict":"changes_requested"}'],
    bareVerdict.replace('"accepted"', '"partial"'),
    bareVerdict.replace("true", "false"),
  ],
  injected: [
    bareVerdict,
    "accepted",
    "<think>hm</think>",
    '{"verdict":"ok"}',
    "quality_score: 100",
  ],
  joints: [" ", "\n", "\n\n", ", "],
  embed: (accepted, reservation) => {
    const isMember = verdictMembers.includes(reservation);
    const member = isMember ? reservation : `"remark":${JSON.stringify(reservation)}`;
    return accepted.replace("{", `{${member},`);
  },
  isYes: (reply) => decideVerdictGate(readAnalystVerdict(reply), cleanChecks, PACK_GATE).accepted,
};

/** Every reader that can approve. */
export const replyTargets: readonly ReplyTarget[] = [
  ...[byPhrase, byObject, blockThatPasses, blockThatFails, foreignPass, foreignFail, byAnalyst],
];
