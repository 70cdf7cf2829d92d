import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, onTestFinished } from "vitest";
import {
  type DemoAssistant,
  startDemoAssistant,
} from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { commitAll, initGit } from "./git-repository.ts";
import { ownConnection } from "./own-connection.ts";
import { preparedFolder } from "./prepared-folder.ts";
import { type Ended, signoff } from "./scenario-cli.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

export const stageFolder = "artifacts/domain_runs/stage_agent_loops/shop_answers";
export const defectFile = "examples/stage/assistant-defects.txt";

export interface StageJson {
  readonly said: readonly string[];
  readonly step?: string;
  readonly command_line?: string;
  readonly next_action: string;
  readonly loop_accepted_gate: boolean;
  readonly accepted_gate: boolean;
  readonly stage_closing_gate: { readonly status: string; readonly reasons: readonly string[] };
  readonly next_step_guidance: {
    readonly read: readonly string[];
    readonly command_templates: readonly string[];
  };
  readonly latest_repair_execution?: {
    readonly coder_status: string;
    readonly changed_files: readonly string[];
    readonly dry_run: boolean;
    readonly iteration_id: string;
    readonly code?: { readonly kind: string; readonly before: string; readonly after: string };
  };
  readonly latest_repair_validation?: {
    readonly run_id: string;
    readonly status: string;
    readonly missing_questions: readonly string[];
  };
  readonly repair_validation_history: readonly { readonly status: string }[];
  readonly decision_needed?: string;
  readonly not_by_model?: string;
  readonly changed_evidence: readonly string[];
  readonly saved_pack?: string;
  readonly history: readonly { readonly event: { readonly kind: string } }[];
}

/** The example stage in a temporary folder, and its assistant over real HTTP. */
export interface StageStory {
  readonly path: string;
  readonly shop: Pick<DemoAssistant, "url" | "questions">;
  /** `signoff stage <args> --manifest …`, the assistant's address given where it is asked. */
  stage(...args: readonly string[]): Promise<Ended>;
  /** The whole command line of `stage`. */
  words(...args: readonly string[]): readonly string[];
  stageWith(env: { readonly [name: string]: string }, ...args: readonly string[]): Promise<Ended>;
  /** The same, and what `--json` printed. */
  json(...args: readonly string[]): Promise<StageJson & { readonly code: number | null }>;
  read(name: string): string;
  write(name: string, text: string): void;
}

interface StageSetUp {
  readonly git?: boolean;
  readonly defects?: string;
  readonly pack?: string;
}

export async function openStageStory(how: StageSetUp = {}): Promise<StageStory> {
  const path = mkdtempSync(join(tmpdir(), "signoff-stage-"));
  setUpStage(path, how);
  const shop = await startDemoAssistant({ defectFile: join(path, defectFile) });
  onTestFinished(async () => {
    await shop.close();
    rmSync(path, { recursive: true, force: true });
  });
  return stageStory(path, shop);
}

/** A stage with some commands behind it, made once for a file of tests; each call gives a copy. */
export function preparedStage(
  how: StageSetUp,
  ...commands: readonly (readonly string[])[]
): () => StageStory {
  // One assistant for all copies, since runs remember its address. Its defects are those of the copy in use.
  let shop: DemoAssistant;
  let link = "";
  const serveFrom = (path: string) => {
    rmSync(link, { force: true });
    symlinkSync(join(path, defectFile), link);
  };
  beforeAll(async () => {
    const place = mkdtempSync(join(tmpdir(), "signoff-defects-"));
    link = join(place, "defects.txt");
    shop = await startDemoAssistant({ defectFile: link });
    return async () => {
      await shop.close();
      rmSync(place, { recursive: true, force: true });
    };
  });
  const played = preparedFolder(async (path) => {
    setUpStage(path, how);
    serveFrom(path);
    const story = stageStory(path, shop);
    for (const command of commands) await story.json(...command);
  });
  return () => {
    const path = played.copy();
    serveFrom(path);
    return stageStory(path, shop);
  };
}

export function setUpStage(path: string, { defects, pack, git = false }: StageSetUp): void {
  cpSync(join(root, "examples"), join(path, "examples"), { recursive: true });
  if (defects !== undefined) writeFileSync(join(path, defectFile), defects);
  if (pack !== undefined) writeFileSync(join(path, "examples/scenario-pack/pack.yaml"), pack);
  if (git) putUnderGit(path);
}

export function stageStory(path: string, shop: StageStory["shop"]): StageStory {
  const words: StageStory["words"] = (...args) => {
    const [command = "", ...rest] = args;
    const url = command === "run" ? ["--assistant-url", shop.url] : [];
    return ["stage", command, "--manifest", "examples/stage/stage.yaml", ...url, ...rest];
  };
  const stageWith: StageStory["stageWith"] = (env, ...args) =>
    signoff(path, words(...args), {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      ...env,
    });
  const stage: StageStory["stage"] = (...args) => stageWith({}, ...args);
  return {
    path,
    shop,
    words,
    stage,
    stageWith,
    async json(...args) {
      const [command = "", ...rest] = args;
      const ended = await stage(command, "--json", ...rest);
      try {
        return { ...(JSON.parse(ended.out) as StageJson), code: ended.code };
      } catch (cause) {
        throw new Error(`exit ${ended.code}: ${ended.out}${ended.err}`, { cause });
      }
    },
    read: (name) => readFileSync(join(path, name), "utf8"),
    write(name, text) {
      mkdirSync(join(path, name, ".."), { recursive: true });
      writeFileSync(join(path, name), text);
    },
  };
}

/** Two scenarios, ten questions: enough for stories about crashes. */
export const smallPack = `pack_id: shop_pack
domain: shop
bindings: { spring: "2024-03-31", summer: "2024-06-30" }
scenarios: [stock-to-supplier.yaml, selected-object.yaml]
`;

export const fixes = ["--coder", "node", "examples/stage/coders/fixes.mjs"] as const;
export const claims = ["--coder", "node", "examples/stage/coders/claims.mjs"] as const;

/** A conversation as a person would paste it. */
export function transcriptOf(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([question, answer]) => `User: ${question}\nAssistant: ${answer}\n`).join("\n");
}

function putUnderGit(path: string): void {
  initGit(path);
  writeFileSync(join(path, ".gitignore"), ".signoff/\nartifacts/\n");
  commitAll(path, "The shop");
}

/** Holds a conversation with the shop's assistant as a person would, and leaves its session files. */
export async function holdConversation(
  { path, shop }: StageStory,
  runId: string,
  sessions: readonly (readonly string[])[],
): Promise<void> {
  for (const [index, questions] of sessions.entries()) {
    let session: string | undefined;
    for (const question of questions) {
      const response = await fetch(`${shop.url}/api/assistant/message`, {
        method: "POST",
        headers: ownConnection,
        body: JSON.stringify({ user_message: question, session_id: session }),
      });
      session = ((await response.json()) as { readonly session_id: string }).session_id;
    }
    const stored = await fetch(`${shop.url}/api/assistant/session/${session}`, {
      headers: ownConnection,
    });
    const folder = join(path, "assistant_sessions");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${runId}-${index + 1}.json`), await stored.text());
  }
}

/** The questions of the stage's first loop, as they were asked, scenario by scenario. */
export function questionsAsked({ read }: StageStory): readonly (readonly string[])[] {
  const place = `${stageFolder}/domain_loops/loop-01/iterations/01`;
  const { scenarios } = JSON.parse(read(`${place}/pack_state.json`)) as {
    readonly scenarios: readonly { readonly scenario_id: string }[];
  };
  return scenarios.map(({ scenario_id }) => {
    const state = JSON.parse(read(`${place}/scenarios/${scenario_id}/scenario_state.json`)) as {
      readonly steps: readonly { readonly question_resolved: string }[];
    };
    return state.steps.map((step) => step.question_resolved);
  });
}
