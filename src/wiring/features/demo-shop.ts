import { existsSync } from "node:fs";
import {
  DEMO_DEFECTS,
  type DemoAssistant,
  type DemoDefect,
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
  const defects = options.defects.map(defectOf);
  const { defectFile } = options;
  if (defectFile !== undefined && !existsSync(defectFile)) {
    throw new ConfigurationError(`There is no file ${defectFile}.`, {
      code: "defect-file-missing",
      facts: { file: defectFile },
    });
  }
  try {
    return await startDemoAssistant({
      port: options.port,
      defects,
      ...defined({ defectFile }),
    });
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

function defectOf(name: string): DemoDefect {
  const known = DEMO_DEFECTS.find((defect) => defect === name);
  if (known !== undefined) return known;
  throw new ConfigurationError(`There is no defect "${name}".`, {
    code: "defect-unknown",
    facts: { defect: name },
    hint: `Known: ${DEMO_DEFECTS.join(", ")}.`,
  });
}
