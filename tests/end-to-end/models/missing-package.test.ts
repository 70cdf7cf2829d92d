import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { furtherWires } from "../../support/further-wires.ts";
import { openModelServer } from "../../support/model-servers.ts";
import { secretKey, type Wire } from "../../support/provider-wires.ts";
import { inFolder } from "../../support/signoff-process.ts";

const here = join(import.meta.dirname, "../../..");

/** Signoff as npm installs it in a folder, without any package of a provider. */
function install(shop: string): string {
  const signoff = join(shop, "node_modules/signoff");
  for (const part of ["dist/bin", "recipes", "gates"]) {
    cpSync(join(here, part), join(signoff, part), { recursive: true });
  }
  cpSync(join(here, "package.json"), join(signoff, "package.json"));
  link(shop, "better-sqlite3");
  return join(signoff, "dist/bin/signoff.js");
}

function link(shop: string, name: string): void {
  const target = join(shop, "node_modules", name);
  mkdirSync(join(target, ".."), { recursive: true });
  symlinkSync(realpathSync(join(here, "node_modules", name)), target);
}

function run(program: string, args: readonly string[], cwd: string) {
  const env = { HOME: cwd, SHOP_KEY: secretKey };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

it("a provider whose package is missing is refused, and one command installs it", async () => {
  const wire = furtherWires.find(({ model }) => model.startsWith("google/")) as Wire;
  const server = await openModelServer({ wire });
  await inFolder(async (root) => {
    const shop = join(realpathSync(root), "my shop");
    const program = install(shop);
    const address = `{ base_url: "${server.url}/v1beta", api_key_env: SHOP_KEY }`;
    writeFileSync(join(shop, "signoff.yaml"), `version: 1\nproviders: { google: ${address} }\n`);
    const draft = ["draft", "water bottles", "--model", wire.model, "--trust", "--quiet"];
    const refused = await run(program, draft, shop);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr.replace(/\s+/gu, " ")).toContain("@ai-sdk/google is not installed.");
    const [, folder, name] =
      /^`npm install --prefix "(.+)" (@ai-sdk\/google)@[\d.]+`\.?$/mu.exec(refused.stderr) ?? [];
    expect([folder, name], refused.stderr).toEqual([shop, "@ai-sdk/google"]);
    expect(server.seen).toEqual([]);
    expect(existsSync(join(shop, ".signoff"))).toBe(false);
    // What npm would do: there is no registry here.
    link(folder ?? "", name ?? "");
    expect(await run(program, draft, shop)).toMatchObject({ code: 0 });
  });
});
