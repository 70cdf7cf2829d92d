import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readEnvironment } from "./environment.ts";
import { loadProjectSettings } from "./settings.ts";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signoff-guard-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const yaml = `version: 1
models: { writer: openai/gpt-4o }
commands: { judge: { argv: [./judge.sh] } }
stages: { coder: command/claude }
providers: { compatible: { lab: { base_url: "http://LAB:80/v1/", api_key_env: LAB_KEY } } }
scenarios: { assistant: { base_url: "http://shop", headers_env: { x-key: SHOP_KEY } } }
`;

async function open(
  how: { root?: string; home?: string; text?: string; trust?: boolean; url?: string } = {},
) {
  const { root = emptyFolder(), home = emptyFolder(), text = yaml, trust = false, url } = how;
  writeFileSync(join(root, "signoff.yaml"), text);
  const { guard } = await loadProjectSettings({
    ...{ root, trust, environment: readEnvironment({ HOME: home }) },
    flags: url === undefined ? {} : { assistantUrl: url },
  });
  const secret = (address: string, variable: string) => () =>
    guard.allow({ kind: "secret", address, variable });
  const program =
    (...argv: string[]) =>
    () =>
      guard.allow({ kind: "program", argv, folder: root });
  return { root, home, guard, secret, program };
}

const refusal = expect.objectContaining({ code: "trust-needed" });
const openAi = ["https://api.openai.com/v1", "OPENAI_API_KEY"] as const;

describe("the guard", () => {
  it("allows what trusted settings name, and nothing else", async () => {
    const { secret, program } = await open({ trust: true });
    for (const allowed of [
      program("./judge.sh"),
      program(
        ...["claude", "-p", "--output-format", "json", "--permission-mode", "acceptEdits"],
        "--strict-mcp-config",
      ),
      secret("http://lab/v1", "LAB_KEY"),
      secret("http://shop/", "SHOP_KEY"),
      secret(...openAi),
    ]) {
      expect(allowed).not.toThrow();
    }
    for (const refused of [
      program("./judge.sh", "--and-more"),
      program("codex", "exec"),
      secret("http://evil/v1", "LAB_KEY"),
      secret("http://lab/v1", "AWS_SECRET"),
      secret("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
      secret("http://shop.evil", "SHOP_KEY"),
    ]) {
      expect(refused).toThrow(refusal);
    }
  });

  it("allows nothing of settings that are not trusted, and says what they name", async () => {
    const { secret, program } = await open();
    expect(program("./judge.sh")).toThrow(/not trusted yet: commands.judge runs/);
    expect(secret(...openAi)).toThrow(/models.writer spends on your account/);
  });

  it("remembers what the user chose, for this project and this user only", async () => {
    const text = "version: 1\n";
    const first = await open({ text });
    expect(first.secret(...openAi)).toThrow(refusal);
    first.guard.choose({ model: "openai/gpt-4o", isFromProject: false });
    expect(first.secret(...openAi)).not.toThrow();
    const { root, home } = first;
    expect((await open({ text, root, home })).secret(...openAi)).not.toThrow();
    expect((await open({ text, home })).secret(...openAi)).toThrow(refusal);
    expect((await open({ text, root })).secret(...openAi)).toThrow(refusal);
    const folder = join(home, ".config", "signoff", "chosen");
    const [file = ""] = readdirSync(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    appendFileSync(join(folder, file), '{"kind":"program","argv":["half');
    expect((await open({ text, root, home })).secret(...openAi)).not.toThrow();
  });

  it("does what the user chose also where nothing can be remembered", async () => {
    const home = join(emptyFolder(), "a-file");
    writeFileSync(home, "");
    const { guard, secret } = await open({ text: "version: 1\n", home });
    guard.choose({ model: "openai/gpt-4o", isFromProject: false });
    expect(secret(...openAi)).not.toThrow();
  });

  it("does not take an earlier choice of the user for trust in what the project's files choose", async () => {
    const { guard } = await open();
    guard.choose({ model: "openai/gpt-4o", isFromProject: false });
    expect(() => guard.choose({ model: "openai/o1-pro", isFromProject: true })).toThrow(refusal);
  });

  it("keeps what was agreed apart from what it was agreed for", async () => {
    const { guard, secret } = await open({ text: "version: 1\n" });
    guard.apart().agreeToModels(["openai/any"]);
    expect(secret(...openAi)).toThrow(refusal);
  });

  it("gives headers to an address of the user's own, but not to one of the project's .env", async () => {
    const own = await open({ trust: true, url: "http://mine" });
    expect(own.secret("http://mine", "SHOP_KEY")).not.toThrow();
    const root = emptyFolder();
    writeFileSync(join(root, ".env"), "SIGNOFF_SCENARIOS_ASSISTANT_BASE_URL=http://evil\n");
    expect((await open({ root, trust: true })).secret("http://evil", "SHOP_KEY")).toThrow(refusal);
  });
});
