// Files that people, other programs or a cloned project wrote. A reader gives a value or a refusal of its own kind.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPattern } from "../../src/adapters/assistant/pattern-matcher.ts";
import { parseScript } from "../../src/adapters/runners/scripted/script.ts";
import { parseConfig } from "../../src/contract/config/parse-config.ts";
import { parseNote } from "../../src/contract/documents/parse-note.ts";
import { parseRecipe } from "../../src/contract/drafting/recipe.ts";
import { parseCandidateFile } from "../../src/contract/episodes/candidate-file.ts";
import { parseEpisodeYaml } from "../../src/contract/episodes/episode-yaml.ts";
import { parseLedgerFile } from "../../src/contract/episodes/ledger-file.ts";
import { parseProtocolState } from "../../src/contract/episodes/protocol-files.ts";
import { parseSelectionRecord } from "../../src/contract/episodes/provenance-files.ts";
import { parseReviewFile } from "../../src/contract/episodes/review-file.ts";
import { parseStateFile } from "../../src/contract/episodes/state-file.ts";
import { parseChunkSummary } from "../../src/contract/episodes/summary-files.ts";
import { parseGateFile } from "../../src/contract/gates/gate-file.ts";
import { parseLock } from "../../src/contract/gates/lock-file.ts";
import { parseRulings } from "../../src/contract/gates/rulings-file.ts";
import { readArtifact } from "../../src/contract/scenarios/artifacts.ts";
import { parsePack } from "../../src/contract/scenarios/parse-manifest.ts";
import { parseSessionTranscript } from "../../src/contract/scenarios/transcript.ts";
import { parseStage } from "../../src/contract/stages/parse-stage.ts";
import { parseChapters } from "../../src/domain/episodes/chapter.ts";
import { parseTranscript } from "../../src/domain/episodes/transcript.ts";
import { WorkflowError } from "../../src/domain/values/workflow-error.ts";
import { readClaudeOutput } from "../../src/protocol/agents/claude-output.ts";
import { readCodexOutput } from "../../src/protocol/agents/codex-output.ts";
import { readVerdictFile } from "../../src/protocol/scenarios/verdict-format.ts";
import { parseDotEnv } from "../../src/wiring/settings/dot-env.ts";
import { mutatedText, mutatedValue } from "./mutate.mjs";
import { prepareProject } from "./prepared-project.mjs";

const project = fileURLToPath(new URL("../../", import.meta.url));
const episode = "src/contract/episodes/fixtures/bread-042";

const filesIn = (folder, form) =>
  readdirSync(join(project, folder), { recursive: true })
    .filter((name) => form.test(name))
    .map((name) => readFileSync(join(project, folder, name), "utf8"));

const blob = "a".repeat(40);
const digest = "b".repeat(32);
const lockLine = (decision, found) =>
  [
    "notes/prices.md",
    "prose/plain",
    "ollama/x",
    blob,
    blob,
    decision,
    "review",
    "gates/2",
    digest,
    digest,
    found,
  ].join("\t");
const rulingLine = (kind, subject) =>
  [
    "notes/prices.md",
    "prose/plain",
    "-",
    kind,
    subject,
    blob,
    blob,
    digest,
    kind === "dismiss" ? "-" : digest,
    "-",
    "2026-03-02T08:00:00Z",
    "-",
    "Ada",
    "agreed",
  ].join("\t");

/** Whether a file without any yes was read as one. */
const verdictIsOk = ({ verdict }) => verdict === "ok";

/** Undefined where the reader refused the file. */
const parsedValue = (parsed) => (parsed.kind === "parsed" ? parsed.value : undefined);

function targets(root) {
  const artifact = (name) => ({
    name: `pack ${name}`,
    texts: readdirSync(join(root, "out"), { recursive: true })
      .filter((path) => `/${path}`.endsWith(`/${name}`))
      .slice(0, 5)
      .map((path) => readFileSync(join(root, "out", path), "utf8")),
    read: (text) => readArtifact(name, text),
  });
  const all = [
    {
      name: "settings",
      texts: filesIn("examples", /signoff\.yaml$/u),
      read: (text) => parsedValue(parseConfig(text, "signoff.yaml")),
    },
    {
      name: "variables",
      texts: ["OLLAMA_HOST=x\nSIGNOFF_MODEL='a b'\n# c\nA=\"b\nc\"\n"],
      read: parseDotEnv,
    },
    {
      name: "recipe",
      texts: filesIn("recipes", /\.md$/u),
      read: (text) => parsedValue(parseRecipe(text, "a.md")),
    },
    {
      name: "gate",
      texts: [...filesIn("gates", /\.md$/u), ...filesIn("examples", /gates\/.*\.md$/u)],
      read: (text) => parsedValue(parseGateFile("prose/a", "a.md", text)),
    },
    { name: "note", texts: filesIn("examples", /notes\/.*\.md$/u), read: parseNote },
    {
      name: "lock",
      texts: [
        `${lockLine("fail", "fail:0123456789abcdef")}\n${lockLine("fail", "-")}\n${lockLine("warn", "warn:0123456789abcdef")}\n`,
      ],
      read: (text) => parseLock(text).lines,
      isYes: (lines) => lines.some(({ decision }) => decision === "pass"),
    },
    {
      name: "rulings",
      texts: [`${rulingLine("override", "fail")}\n${rulingLine("dismiss", "0123456789abcdef")}\n`],
      read: (text) => parseRulings(text).rulings,
      isYes: (rulings) =>
        rulings.some(({ kind, decision }) => kind === "override" && decision === "pass"),
    },
    {
      name: "pack",
      texts: filesIn("examples/scenario-pack", /\.yaml$/u),
      read: (text) =>
        parsedValue(
          parsePack({ file: "pack.yaml", text }, { checkPattern, readScenario: () => undefined }),
        ),
    },
    {
      name: "stage",
      texts: filesIn("examples", /stage\.yaml$/u),
      read: (text) =>
        parsedValue(
          parseStage(
            { file: "stage.yaml", text },
            { targetScore: 80, repairMode: "lead-handoff", fileHints: {} },
          ),
        ),
    },
    {
      name: "episode settings",
      texts: filesIn(episode, /episode\.yaml$/u),
      read: (text) => parseEpisodeYaml(text, "episode.yaml"),
    },
    {
      name: "episode state",
      texts: filesIn(episode, /^state\.json$/u),
      read: (text) => parseStateFile(text, "state.json"),
    },
    {
      name: "candidate",
      texts: filesIn(episode, /candidate_.*\.json$/u),
      read: (text) => parseCandidateFile(text, "candidate.json"),
    },
    {
      name: "review",
      texts: refusals(filesIn(episode, /reviews\/.*\.json$/u)),
      read: (text) => parseReviewFile(text, "review.json"),
      isYes: verdictIsOk,
    },
    {
      name: "protocol",
      texts: filesIn(episode, /protocol\/.*\/state\.json$/u),
      read: (text) => parseProtocolState(text, "state.json"),
    },
    {
      name: "ledger",
      texts: readAll(join(root, "bread"), /ledger\.json$/u),
      read: (text) => parseLedgerFile(text, "ledger.json"),
    },
    {
      name: "selection",
      texts: readAll(join(root, "bread"), /provenance\/.*select.*\.json$/u),
      read: (text) => parseSelectionRecord(text, "selection.json"),
    },
    {
      name: "summary",
      texts: filesIn(episode, /\.summary\.json$/u),
      read: (text) => parseChunkSummary(text, "summary.json"),
    },
    {
      name: "transcript",
      texts: [
        ...filesIn(episode, /transcript\.txt$/u),
        ...filesIn("examples", /transcript\.txt$/u),
        "1\n00:00:00,000 --> 00:00:04,000\nAnn: Bread.\n\n2\n00:00:05,000 --> 00:00:06,000\nIt rests.\n",
        "WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ann>Bread.\n",
      ],
      read: parseTranscript,
    },
    { name: "chapters", texts: filesIn("examples", /chapters\.txt$/u), read: parseChapters },
    {
      name: "conversation",
      texts: [
        "User: What is in stock?\nAssistant: Three.\n\n**User:** And now?\n\n## Answer\nFour.\n",
      ],
      read: parseSessionTranscript,
    },
    {
      name: "script",
      texts: [...filesIn("examples", /(?:demo\/.*|approved|limit)\.json$/u), '{"reviews": []}'],
      read: (text) => parseScript(text, "script.json"),
    },
    {
      name: "verdict file",
      texts: ['{"quality_score": 40, "loop_decision": "partial", "unresolved_p0_count": 1}'],
      read: readVerdictFile,
    },
    {
      name: "claude's output",
      texts: [
        '{"type":"result","subtype":"success","is_error":false,"result":"Hydrate","session_id":"x","total_cost_usd":0.1,"usage":{"input_tokens":3,"output_tokens":4}}',
      ],
      read: readClaudeOutput,
    },
    {
      name: "codex's output",
      texts: [
        '{"type":"thread.started","thread_id":"x"}\n{"type":"item.completed","item":{"type":"agent_message","text":"Hydrate"}}\n{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":2}}\n',
      ],
      read: readCodexOutput,
    },
    ...[
      "turn.json",
      "step_state.json",
      "scenario_state.json",
      "pack_state.json",
      "run_manifest.json",
    ].map(artifact),
  ];
  const empty = all.filter(({ texts }) => texts.length === 0).map(({ name }) => name);
  if (empty.length > 0) throw new Error(`nothing to damage for: ${empty.join(", ")}`);
  return all;
}

const readAll = (folder, form) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => form.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8"));

/** The same reviews, none of which says yes. */
const refusals = (texts) =>
  texts.map((text) => text.replace('"verdict": "ok"', '"verdict": "needs_human"'));

function damaged(text, chance) {
  if (chance.below(2) === 0) return mutatedText(text, chance);
  try {
    return JSON.stringify(mutatedValue(JSON.parse(text), chance), null, 2);
  } catch {
    return mutatedText(text, chance);
  }
}

export async function open() {
  const { root, remove } = await prepareProject();
  const all = targets(root);
  return {
    next(chance) {
      const { name, texts, read, isYes } = chance.pick(all);
      const text = damaged(chance.pick(texts), chance);
      return {
        reader: name,
        shown: () => JSON.stringify(text),
        run: () => readIt(read, text, isYes),
      };
    },
    close: remove,
  };
}

function readIt(read, text, isYes = () => false) {
  try {
    const value = read(text);
    return value !== undefined && isYes(value) ? "false approval" : "read";
  } catch (error) {
    if (error instanceof WorkflowError) return "refused";
    throw error;
  }
}
