import { existsSync } from "node:fs";
import {
  type DemoAssistant,
  demoAssistantDefects,
  startDemoAssistant,
} from "../../adapters/assistant/demo/demo-assistant.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

/** Starts the demo assistant; an unknown defect is refused by name. */
export async function startDemoShop(options: {
  readonly port: number;
  readonly defects: readonly string[];
  readonly defectFile?: string;
}): Promise<DemoAssistant> {
  const { defects, defectFile } = options;
  const unknown = defects.find((name) => !demoAssistantDefects.some((known) => known === name));
  if (unknown !== undefined) {
    throw new ConfigurationError(`There is no defect "${unknown}".`, {
      code: "defect-unknown",
      facts: { defect: unknown },
      hint: `Known: ${demoAssistantDefects.join(", ")}.`,
    });
  }
  if (defectFile !== undefined && !existsSync(defectFile)) {
    throw new ConfigurationError(`There is no file ${defectFile}.`, {
      code: "defect-file-missing",
      facts: { file: defectFile },
    });
  }
  try {
    return await startDemoAssistant({ port: options.port, defects, ...defined({ defectFile }) });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EADDRINUSE") throw cause;
    throw new ConfigurationError(`Port ${options.port} is in use.`, {
      code: "port-in-use",
      facts: { port: options.port },
      hint: "Give another one with --port.",
      cause,
    });
  }
}
