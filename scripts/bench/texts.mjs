import { writeCreatorReply } from "../../dist/src/protocol/drafting/creator-reply.js";
import { writeReviewerReply } from "../../dist/src/protocol/drafting/reviewer-reply.js";

const words =
  "bottle river steel refill carry morning trail glass promise weight lid clean commute office gym water plastic waste season maker guarantee repair colour grip leak pocket summer winter cold warm hours".split(
    " ",
  );

/** Deterministic prose: the same place and version always read the same, two versions never do. */
function sentence(place, version) {
  const at = (offset) => words[(place * 7 + version * 11 + offset * 5) % words.length];
  return `In part ${place}, edition ${version}, the ${at(1)} and the ${at(2)} of the shop's ${at(3)} keep the ${at(4)} apart from the ${at(5)}.`;
}

const known = new Map();

/** Made once per turn, so that a loop's time holds no writing of ours. */
function madeOnce(name, make) {
  const made = known.get(name) ?? make();
  known.set(name, made);
  return made;
}

const sentencesPerText = 32;
const sentencesPerTurn = 3;

/** About 3 kB of which each turn rewrites a tenth, as a creator does who answers objections. */
function draftOf(turn) {
  const sentences = Array.from({ length: sentencesPerText }, (_, place) => {
    const turnsSince = (turn * sentencesPerTurn - place) % sentencesPerText;
    return sentence(place, turnsSince < sentencesPerTurn && turnsSince >= 0 ? turn : 0);
  });
  const paragraphs = [];
  while (sentences.length > 0) paragraphs.push(sentences.splice(0, 8).join(" "));
  return paragraphs.join("\n\n");
}

/** About 3 kB in six objections, which the next turn settles. */
function objectionsOf(turn) {
  return Array.from({ length: 6 }, (_, place) => ({
    severity: place === 0 ? "error" : "warning",
    message: [0, 1, 2, 3].map((part) => sentence(100 + place * 4 + part, turn)).join(" "),
  }));
}

/** A creator who answers every open issue, and a reviewer who settles them and finds others until the last turn. */
export function replyTo({ role, task }, lastTurn) {
  const open = task.openIssues.map(({ issue }) => issue.issueId);
  if (role === "creator") {
    const answers = open.map((issueId) => ({ issueId, answer: "fixed" }));
    return writeCreatorReply(
      {
        content: madeOnce(`draft ${task.iteration}`, () => draftOf(task.iteration)),
        done: true,
        answers,
      },
      "structured",
    );
  }
  const verdict = task.iteration < lastTurn ? "changes_requested" : "ok";
  const issues =
    verdict === "ok"
      ? []
      : madeOnce(`objections ${task.iteration}`, () => objectionsOf(task.iteration));
  const summary = `Turn ${task.iteration} was read with care.`;
  return writeReviewerReply({ verdict, summary, issues, kept: [], closed: open }, "structured", "");
}

export const recipe = {
  id: "bench",
  title: "Product page",
  format: "markdown",
  creatorReply: "structured",
  approval: "structured",
  phrase: "SHIP IT",
  maxTurns: 10,
  maxCharacters: 12_000,
  checks: [{ kind: "min_length", characters: 80, severity: "error" }],
  stopRules: [],
  stopOnNeedsHuman: false,
  creator: { temperature: 0.7, maxTokens: 2_000 },
  reviewer: { temperature: 0.3, maxTokens: 1_200 },
  writerBrief: "You write product pages for a shop that sells water bottles.",
  reviewerBrief: "You judge product pages strictly and fairly.",
};
