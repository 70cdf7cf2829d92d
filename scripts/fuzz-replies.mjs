// Mutates replies to all readers. None may turn a reply with a reservation into a yes, accept a review that is not
// there, throw or hang. Usage: node scripts/fuzz-replies.mjs [count] [seed]; half of the replies keep a reservation,
// the others damage the blocks of gate reviews.
import { parseBundleOutput, parseSweepOutput } from "../src/protocol/gates/parse-output.ts";
import { writeBundleOutput, writeSweepOutput } from "../src/protocol/gates/write-output.ts";
import { Chance, mutatedReply, replyTargets } from "../tests/support/reply-mutations.ts";

const count = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? 20261115);
/** Processor time: a machine that is busy elsewhere is no slow reader. */
const slowestAllowedMs = 250;

const chance = new Chance(seed);
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
  return { name: "blocks", text, isSound: () => check(text, isBundle) };
}

function keptReservation() {
  const target = pick(replyTargets);
  const text = mutatedReply(target, chance);
  return { name: target.name, text, isSound: () => !target.isYes(text) };
}

let slowest = 0;
const counts = new Map();
const began = performance.now();
for (let round = 0; round < count; round += 1) {
  const { name, text, isSound } = below(2) === 0 ? damagedBlocks() : keptReservation();
  const before = process.cpuUsage();
  let sound = false;
  try {
    sound = isSound();
  } catch (error) {
    console.error(error);
  }
  const { user, system } = process.cpuUsage(before);
  const took = (user + system) / 1000;
  slowest = Math.max(slowest, took);
  if (!sound || took > slowestAllowedMs) {
    console.error(
      `${name}: round ${round} of seed ${seed} failed (${took.toFixed(1)} ms):\n${JSON.stringify(text)}`,
    );
    process.exit(1);
  }
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
const seconds = ((performance.now() - began) / 1000).toFixed(1);
for (const [name, times] of counts) console.log(`${name}: ${times}`);
console.log(`${count} replies in ${seconds} s, slowest ${slowest.toFixed(1)} ms, seed ${seed}`);
