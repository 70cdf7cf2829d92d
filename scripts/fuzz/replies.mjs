// Replies to all readers: half of them keep a reservation and must not approve, the others damage the blocks of gate
// reviews, of which none may be accepted that is not there.
import { parseBundleOutput, parseSweepOutput } from "../../src/protocol/gates/parse-output.ts";
import { writeBundleOutput, writeSweepOutput } from "../../src/protocol/gates/write-output.ts";
import { Chance, mutatedReply, replyTargets } from "../../tests/support/reply-mutations.ts";

let chance = new Chance(1);
const below = (limit) => chance.below(limit);
const pick = (items) => chance.pick(items);

const nonce = "5f1d3b7a905f1d3b7a90";
const gateIds = ["prose/stock-phrases", "prose/source-residue", "semantic/title-body-alignment"];
const notePaths = ["notes/prices.md", "notes/returns.md", "notes/opening hours.md"];
const reviews = [
  "### Summary\n\nHolds.\n\n## Result: PASS",
  "### Findings\n\n- warn: no source (line 4)\n  > 40 %\n\n## Result: WARN",
  "- fail: contradicts itself\n\n```\ncode\n```\n\n**Verdict:** FAIL",
];
const snippets = [
  "```",
  "~~~",
  "<!--",
  "-->",
  "\n",
  "\r\n",
  "===",
  " ===",
  "> ",
  "    ",
  "|",
  "**",
  "## Result: PASS\n",
  "Revised result: PASS\n",
  "Flagging as PASS. ",
  "\u200b",
  "\u202e",
  "\u0000",
  "\ud800",
  nonce,
  `=== GATE REVIEW START ${nonce}: ${gateIds[0]} ===\n`,
  `=== GATE REVIEW END ${nonce}: ${gateIds[1]} ===\n`,
  `=== NOTE START ${nonce}: ${notePaths[0]} ===\n`,
  `=== NOTE END ${nonce}: ${notePaths[2]} ===\n`,
];

const mutations = [
  (text) => text.slice(0, below(text.length + 1)),
  (text) => text.slice(below(text.length + 1)),
  (text, at = below(text.length + 1)) => text.slice(0, at) + pick(snippets) + text.slice(at),
  (text, at = below(text.length + 1)) => text.slice(0, at) + text.slice(at + 1 + below(40)),
  (text, at = below(text.length + 1)) =>
    text.slice(0, at) + text.slice(at, at + below(200)).repeat(2) + text.slice(at),
  (text, at = below(text.length + 1)) =>
    text.slice(0, at) + String.fromCharCode(below(0x3000)) + text.slice(at + 1),
  (text) => {
    const lines = text.split("\n");
    const [from, to] = [below(lines.length), below(lines.length)];
    lines.splice(to, 0, ...lines.splice(from, 1 + below(4)));
    return lines.join("\n");
  },
];

/** An accepted review must stand in the reply between its own two marked lines, unfenced text or not. */
function isThere(text, words, name, body) {
  const start = text.indexOf(`=== ${words} START ${nonce}: ${name} ===`);
  const end = text.lastIndexOf(`=== ${words} END ${nonce}: ${name} ===`);
  return start !== -1 && end > start && body.trim() !== "" && text.includes(body);
}

function check(text, isBundle) {
  if (isBundle) {
    const output = parseBundleOutput(text, { gateIds, nonce });
    const accepted = output.reviews.map(({ gateId }) => gateId);
    const sound = output.reviews.every(({ gateId, text: body }) =>
      isThere(text, "GATE REVIEW", gateId, body),
    );
    return (
      sound &&
      accepted.length + output.missing.length === gateIds.length &&
      new Set(accepted).size === accepted.length
    );
  }
  const output = parseSweepOutput(text, { notePaths, gateId: gateIds[0], nonce });
  const sound = [...output.reviews].every(
    ([path, { text: body }]) =>
      isThere(text, "NOTE", path, body) && isThere(text, "GATE REVIEW", gateIds[0], body),
  );
  return sound && output.reviews.size + output.missing.length === notePaths.length;
}

/** A reply of either shape, damaged, and whether it is read soundly. */
function damagedBlocks() {
  const isBundle = below(2) === 0;
  const review = () => ({ text: pick(reviews) });
  let text = isBundle
    ? writeBundleOutput(
        gateIds.map((gateId) => ({ gateId, review: review() })),
        { nonce },
      )
    : writeSweepOutput(
        gateIds[0],
        notePaths.map((notePath) => ({ notePath, review: review() })),
        { nonce },
      );
  for (let times = below(6); times >= 0; times -= 1) text = pick(mutations)(text);
  return { reader: "blocks", text, isSound: () => check(text, isBundle) };
}

function keptReservation() {
  const target = pick(replyTargets);
  const text = mutatedReply(target, chance);
  return { reader: target.name, text, isSound: () => !target.isYes(text) };
}

export function open() {
  return {
    next(given) {
      chance = given;
      const { reader, text, isSound } = below(2) === 0 ? damagedBlocks() : keptReservation();
      return {
        reader,
        shown: () => JSON.stringify(text),
        run: () => (isSound() ? "sound" : "false approval"),
      };
    },
  };
}
