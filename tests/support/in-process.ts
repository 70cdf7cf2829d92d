import { env as variables } from "node:process";
import { runProgram } from "../../src/cli/program.ts";
import type { EndedProcess } from "./signoff-process.ts";

type Variables = { readonly [name: string]: string };

/** The command line without a new process: a hundred commands in the time of five. Commands run one after the other. */
export async function runInProcess(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Variables },
): Promise<EndedProcess> {
  const before = { cwd: process.cwd(), env: { ...variables }, console: { ...console } };
  const output = { stdout: "", stderr: "" };
  const streams = ["stdout", "stderr"] as const;
  const writers = streams.map((name) => process[name].write);
  for (const name of streams)
    process[name].write = ((text: string | Uint8Array) => {
      output[name] += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
      return true;
    }) as typeof process.stdout.write;
  replaceEnvironment(env);
  process.chdir(cwd);
  try {
    const code = await runProgram(args);
    return { code, signal: null, ...output };
  } finally {
    process.chdir(before.cwd);
    replaceEnvironment(before.env);
    Object.assign(console, before.console);
    streams.forEach((name, at) => {
      process[name].write = writers[at] as typeof process.stdout.write;
    });
    process.exitCode = undefined;
  }
}

function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(variables)) Reflect.deleteProperty(variables, name);
  Object.assign(variables, env);
}
