import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { ownConnection } from "./own-connection.ts";

const signoff = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));

export interface StudioProcess {
  readonly process: ChildProcess;
  readonly url: string;
  ask(
    method: string,
    path: string,
    body?: object,
    headers?: { readonly [name: string]: string },
  ): Promise<Response>;
}

/** A command that serves the studio and prints its address as the first line. */
export async function startStudioProcess(
  cwd: string,
  words: readonly string[],
  env: object = {},
): Promise<StudioProcess> {
  const child = spawn(process.execPath, [signoff, ...words, "--print-url"], {
    cwd,
    env: { HOME: cwd, SIGNOFF_USER: "Mira", PATH: "/usr/bin:/bin", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    // Its folder is removed next, and must not be written to any more.
    await exited;
  });
  const line = once(createInterface(child.stdout), "line");
  const gone = exited.then(([code]) => {
    throw new Error(`signoff ${words.join(" ")} ended with ${code} before it had an address.`);
  });
  const [url] = (await Promise.race([line, gone])) as [string];
  const [origin = "", token = ""] = url.split("/#token=");
  return {
    process: child,
    url,
    ask: (method, path, body, headers = {}) =>
      fetch(origin + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...ownConnection,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}
