import { resolve } from "node:path";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { startDemoShop } from "../../wiring/features/demo-shop.ts";
import {
  copyDemoFiles,
  demoDefectFile,
  isDemoProject,
  makeDemoProject,
} from "../../wiring/project/demo-project.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { printRemark } from "../shell/print.ts";
import { runStudio } from "./studio-action.ts";

export interface DemoStudioFlags {
  readonly studio?: boolean;
  readonly into: string;
  readonly printUrl?: boolean;
  readonly open?: boolean;
}

/** Creates a demo project with every feature and opens the studio on it; the shop's assistant runs until it is closed. */
export async function showDemoStudio(cli: CliContext, flags: DemoStudioFlags): Promise<void> {
  const { into, printUrl, open } = flags;
  const folder = resolve(cli.cwd, into);
  const isMade = await isDemoProject(folder);
  if (!isMade) await copyDemoFiles(folder);
  const shop = await startShop(demoDefectFile(folder));
  try {
    if (!isMade) await make(cli, { into, folder, assistantUrl: shop.url });
    printRemark(cli, `The shop's assistant listens on ${shop.url}.`);
    const wanted = { ...(printUrl && { printUrl }), ...(open && { open }) };
    await runStudio({ ...cli, cwd: folder }, { ...wanted, port: 0 });
  } finally {
    await shop.close();
  }
}

async function make(
  cli: CliContext,
  at: { readonly into: string; readonly folder: string; readonly assistantUrl: string },
): Promise<void> {
  printRemark(cli, `Creating a demo project in ${at.into}, offline:`);
  const interrupted = new AbortController();
  const listening = cli.onInterrupt(() => interrupted.abort());
  try {
    await makeDemoProject({
      folder: at.folder,
      assistantUrl: at.assistantUrl,
      program: process.argv[1] ?? "",
      environment: cli.environment,
      signal: interrupted.signal,
      onCommand: (words) => printRemark(cli, `  signoff ${words.map(shellWord).join(" ")}`),
    });
  } finally {
    listening();
  }
}

/** On the default port, or on any free one if that is taken. */
async function startShop(defectFile: string) {
  try {
    return await startDemoShop({ port: 8787, defects: [], defectFile });
  } catch (thrown) {
    if (!(thrown instanceof ConfigurationError && thrown.code === "port-in-use")) throw thrown;
    return startDemoShop({ port: 0, defects: [], defectFile });
  }
}
