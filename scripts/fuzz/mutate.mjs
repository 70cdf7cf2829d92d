/** Pieces that readers of text have tripped over, here or elsewhere. */
const snippets = [
  ...[
    "---\n",
    "```",
    "~~~",
    "<!--",
    "-->",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "    ",
    "- ",
    "? ",
    ": ",
    "| ",
  ],
  ...[
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "\\",
    "\\u0000",
    "&a ",
    "*a",
    "<<: *a\n",
    "!!binary ",
    "!!js/function ",
    "%TAG ! !\n",
  ],
  ...[
    "\u0000",
    "\u0007",
    "\u001b[2J",
    "\u200b",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\ud800",
    "\udc00",
    "é",
    "𝔘",
  ],
  ...[
    "null",
    "true",
    "~",
    "-1",
    "0",
    "1e999",
    "-0",
    "NaN",
    "9007199254740993",
    "0x1F",
    "1_000",
    "2026-02-31",
  ],
  ...[
    "__proto__: {x: 1}\n",
    "constructor: 1\n",
    '"__proto__":{"x":1},',
    "../../etc/passwd",
    "/dev/zero",
    "$(id)",
    "`id`",
  ],
  ...[
    "# x\n",
    "> ",
    "* * *\n",
    "[a](b)",
    "![](",
    "[^1]: ",
    "|a|b|\n|-|-|\n",
    "<script>",
    "&amp;",
    "00:00:00,000 --> 00:00:01,000\n",
  ],
];

/** What a value of JSON may be replaced by. */
const values = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, "", " ", "a", "\u0000", "\ud800", "__proto__"],
  ...[
    [],
    {},
    [[]],
    [null],
    { a: 1 },
    ["a", "a"],
    "x".repeat(3_000),
    "../..",
    "2026-02-31T00:00:00Z",
    "e\u0301".repeat(50),
  ],
];

const textMutations = [
  (text, chance) => text.slice(0, chance.below(text.length + 1)),
  (text, chance) => text.slice(chance.below(text.length + 1)),
  (text, chance) => spliced(text, chance, 0, chance.pick(snippets)),
  (text, chance) => spliced(text, chance, 0, chance.pick(snippets)),
  (text, chance) => spliced(text, chance, 1 + chance.below(40), ""),
  (text, chance) => spliced(text, chance, 1, String.fromCharCode(chance.below(0x3000))),
  (text, chance) => {
    const at = chance.below(text.length + 1);
    const piece = text.slice(at, at + 1 + chance.below(200));
    return text.slice(0, at) + piece.repeat(2) + text.slice(at);
  },
  (text, chance) => {
    const lines = text.split("\n");
    const moved = lines.splice(chance.below(lines.length), 1 + chance.below(4));
    lines.splice(chance.below(lines.length + 1), 0, ...moved);
    return lines.join("\n");
  },
  (text, chance) =>
    text.replace(/^ +/gmu, (blanks) => (chance.below(8) === 0 ? `${blanks} ` : blanks)),
  (text, chance) => {
    const all = [...text.matchAll(/\d+|"[^"\n]*"|\b[a-z_]+\b/gu)];
    const match = all[chance.below(all.length || 1)];
    if (match === undefined) return text;
    const value = JSON.stringify(chance.pick(values));
    return text.slice(0, match.index) + value + text.slice(match.index + match[0].length);
  },
];

/** Rarely, because it makes every reader slow: a piece over and over. */
const flood = (text, chance) =>
  spliced(text, chance, 0, chance.pick(snippets).repeat(2 + chance.below(5_000)));

function spliced(text, chance, removed, added) {
  const at = chance.below(text.length + 1);
  return text.slice(0, at) + added + text.slice(at + removed);
}

export function mutatedText(text, chance) {
  let changed = text;
  for (let times = chance.below(5); times >= 0; times -= 1) {
    const mutation = chance.below(200) === 0 ? flood : chance.pick(textMutations);
    changed = mutation(changed, chance);
  }
  return changed.slice(0, 300_000);
}

/** A copy in which some members are missing, added, renamed or of another kind. */
export function mutatedValue(value, chance) {
  if (chance.below(12) === 0) return chance.pick(values);
  if (Array.isArray(value)) {
    const changed = value.map((one) => (chance.below(3) === 0 ? mutatedValue(one, chance) : one));
    if (chance.below(6) === 0) changed.push(chance.pick(values));
    return chance.below(20) === 0 ? Array(1 + chance.below(500)).fill(changed[0] ?? null) : changed;
  }
  if (typeof value === "string") return chance.below(3) === 0 ? mutatedText(value, chance) : value;
  if (typeof value !== "object" || value === null)
    return chance.below(3) === 0 ? chance.pick(values) : value;
  const members = Object.entries(value).flatMap(([name, one]) => {
    if (chance.below(15) === 0) return [];
    const kept = chance.below(40) === 0 ? mutatedText(name, chance).slice(0, 200) : name;
    return [[kept, chance.below(3) === 0 ? mutatedValue(one, chance) : one]];
  });
  if (chance.below(12) === 0)
    members.push([
      chance.pick(["__proto__", "constructor", "toString", "extra", ""]),
      chance.pick(values),
    ]);
  return Object.fromEntries(members);
}
