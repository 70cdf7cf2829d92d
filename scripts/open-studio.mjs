// A studio of the build in a new folder, and a browser to look at it.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { browserPath } from "./test-browser.ts";

const signoff = new URL("../dist/bin/signoff.js", import.meta.url).pathname;

/** Starts the command that serves the studio, of the project in `folder` of the new one; `close` ends it and removes the folder. */
export async function openStudio(words, env = {}, folder = ".") {
  const root = mkdtempSync(join(tmpdir(), "signoff-studio-"));
  const server = spawn(process.execPath, [signoff, ...words, "--print-url"], {
    cwd: root,
    env: { ...process.env, ...env, HOME: root },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    server.stdout.once("data", (data) => resolve(String(data).trim()));
    server.once("exit", () => reject(new Error("The studio did not start.")));
  });
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  return {
    url,
    browser,
    /** What a command of the build prints in the studio's project. */
    signoff: (...words) =>
      execFileSync(process.execPath, [signoff, ...words], {
        ...{ cwd: join(root, folder), encoding: "utf8" },
        env: { ...process.env, ...env, HOME: root },
      }),
    async close() {
      await browser.close();
      server.kill("SIGINT");
      await new Promise((resolve) => server.once("exit", resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
}
