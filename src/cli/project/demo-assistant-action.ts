import { resolve } from "node:path";
import { startDemoShop } from "../../wiring/features/demo-shop.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { printResult } from "../shell/print.ts";

export interface DemoAssistantFlags {
  readonly port: number;
  readonly defect?: readonly string[];
  readonly defectFile?: string;
  readonly json?: boolean;
}

/** Serves the shop's assistant until it is stopped. */
export async function serveDemoAssistant(
  cli: CliContext,
  flags: DemoAssistantFlags,
): Promise<void> {
  const { port, defect = [], defectFile } = flags;
  const file = defectFile === undefined ? {} : { defectFile: resolve(cli.cwd, defectFile) };
  const shop = await startDemoShop({ port, defects: defect, ...file });
  // Before the address is printed, because a reader may stop the assistant at once.
  const stopped = new Promise<void>((resolve) => {
    const stop = cli.onInterrupt(() => {
      stop();
      resolve();
    });
  });
  const { url } = shop;
  const defects = defect.length === 0 ? "" : ` with the defect ${defect.join(", ")}`;
  const text = `The shop's assistant listens on ${url}${defects}.`;
  printResult(cli, flags, { url, defects: defect }, text);
  await stopped;
  await shop.close();
}
