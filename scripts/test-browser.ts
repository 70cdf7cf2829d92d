// The browser that tests and scripts drive: one of the system, else one from apt, else playwright's own download.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { env, execPath } from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** Where the browser that was found last is written down, so that the tests take the same. */
const note = fileURLToPath(new URL("../dist/test-browser.txt", import.meta.url));

/** From apt, the smaller package first; older distributions have only the second. */
const packages = ["chromium-headless-shell", "chromium"];
const names = [...packages, "chromium-browser", "google-chrome", "google-chrome-stable"];
const folders = ["/usr/bin", "/usr/local/bin", "/snap/bin", "/opt/homebrew/bin"];
const applications = ["Chromium", "Google Chrome"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** The browser's path; `npm test` has made sure that there is one. */
export function browserPath(): string {
  const noted = existsSync(note) ? readFileSync(note, "utf8") : "";
  const found = existsSync(noted) ? noted : findBrowser();
  if (found === undefined) throw new Error("There is no Chromium. `npm test` gets one.");
  return found;
}

/**
 * Makes sure that there is a browser. With HIDE_BROWSER set, the machine is treated as one that has none. Rejects
 * with one sentence.
 */
export async function provideBrowser(): Promise<string> {
  const { HIDE_BROWSER = "" } = env;
  const found = HIDE_BROWSER === "" ? findBrowser() : undefined;
  const path = found ?? (await fromApt()) ?? downloaded();
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, path);
  return path;
}

/** The command that runs apt-get, or undefined where we may not. */
export function aptCommand(): readonly string[] | undefined {
  const isRoot = process.getuid?.() === 0;
  const mayRun = isRoot || succeeds(["sudo", "-n", "true"]);
  if (!mayRun || !succeeds(["apt-get", "--version"])) return undefined;
  const options = ["-qq", "-o", "Acquire::Retries=5", "-o", "DPkg::Lock::Timeout=300"];
  const words = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...options];
  return isRoot ? words : ["sudo", "-n", ...words];
}

/** Installs a package, also when its files were removed by hand. The network may be away for a moment. */
export async function installPackage(apt: readonly string[], name: string): Promise<boolean> {
  const install = [...apt, "install", "--yes", "--no-install-recommends", "--reinstall", name];
  for (const pause of [10_000, 30_000, 0]) {
    if (succeeds([...apt, "update"])) return succeeds(install);
    await setTimeout(pause);
  }
  return false;
}

function findBrowser(): string | undefined {
  const { PATH = "" } = env;
  const places = [...folders, ...PATH.split(delimiter)].flatMap((folder) =>
    names.map((name) => join(folder, name)),
  );
  return [...places, ...applications, chromium.executablePath()].find(isBrowser);
}

/** Ubuntu's `chromium-browser` is there and only says that it is not. */
function isBrowser(path: string): boolean {
  return existsSync(path) && succeeds([path, "--version"]);
}

async function fromApt(): Promise<string | undefined> {
  const apt = aptCommand();
  if (apt === undefined) return undefined;
  for (const name of packages) {
    console.error(`Getting a browser for the tests: apt-get install ${name}`);
    const path = join("/usr/bin", name);
    if ((await installPackage(apt, name)) && isBrowser(path)) return path;
  }
  return undefined;
}

function downloaded(): string {
  console.error("Getting a browser for the tests: playwright install chromium");
  const cli = fileURLToPath(new URL("cli.js", import.meta.resolve("playwright-core/package.json")));
  const libraries = aptCommand() === undefined ? [] : ["--with-deps"];
  succeeds([execPath, cli, "install", ...libraries, "chromium"]);
  const path = chromium.executablePath();
  if (isBrowser(path)) return path;
  throw new Error(
    "The browser tests need Chromium, and it is not installed, apt could not install it and playwright could not " +
      "download it: install Chromium and start again.",
  );
}

function succeeds([command = "", ...words]: readonly string[]): boolean {
  return spawnSync(command, words, { stdio: "ignore" }).status === 0;
}
