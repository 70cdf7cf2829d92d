import { resolve } from "node:path";
import { startDemoShop } from "../../wiring/features/demo-shop.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { printJson, printOut } from "../shell/print.ts";

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
  // Before the address is printed: whoever reads it may stop the assistant.
  const stopped = new Promise<void>((resolve) => {
    const stop = cli.onInterrupt(() => {
      stop();
      resolve();
    });
  });
  if (flags.json === true) printJson(cli, { url: shop.url, defects: defect });
  else {
    const defects = defect.length === 0 ? "" : ` with the defect ${defect.join(", ")}`;
    printOut(cli, [{ text: `The shop's assistant listens on ${shop.url}${defects}.` }]);
  }
  await stopped;
  await shop.close();
}
