import { resolve } from "node:path";
import { startDemoShop } from "../../wiring/features/demo-shop.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { layOut } from "../shell/lay-out.ts";
import { printLines } from "../shell/screen.ts";

export interface DemoAssistantFlags {
  readonly port: number;
  readonly defect?: readonly string[];
  readonly defectFile?: string;
}

/** Serves the shop's assistant until somebody stops it. */
export async function serveDemoAssistant(
  cli: CliContext,
  flags: DemoAssistantFlags,
): Promise<void> {
  const { port, defect = [], defectFile } = flags;
  const file = defectFile === undefined ? {} : { defectFile: resolve(cli.cwd, defectFile) };
  const shop = await startDemoShop({ port, defects: defect, ...file });
  // Before the address is told: who has it may stop the assistant.
  const stopped = new Promise<void>((resolve) => {
    const stop = cli.onInterrupt(() => {
      stop();
      resolve();
    });
  });
  const { out } = cli.screen;
  const told = defect.length === 0 ? "" : ` with the defect ${defect.join(", ")}`;
  printLines(
    out,
    layOut([{ text: `The shop's assistant listens on ${shop.url}${told}.` }], cli.layoutOf(out)),
  );
  await stopped;
  await shop.close();
}
