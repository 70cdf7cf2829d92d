import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Opens an address in the user's browser. The address holds a token and argument lists can be read by every user
 * of the machine, so the browser is given a private file that leads there. False where nothing can be opened.
 */
export async function openInBrowser(url: string, folder: string): Promise<boolean> {
  const file = join(folder, "open-studio.html");
  const target = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${target}">`;
  await mkdir(folder, { recursive: true });
  await writeFile(file, page, { mode: 0o600 });
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  return new Promise((resolve) => {
    const child = spawn(opener, [pathToFileURL(file).href], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
