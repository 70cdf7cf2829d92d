import { authorOf } from "../../wiring/project/author.ts";
import { type OpenStudio, openStudio } from "../../wiring/studio/studio.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { printJson, printRemark, rootOf } from "../shell/print.ts";
import { renderError } from "../shell/render-error.ts";
import { printLines } from "../shell/screen.ts";
import { telemetryFiles } from "../shell/with-project.ts";

export interface StudioFlags {
  readonly port?: number;
  readonly open?: boolean;
  readonly printUrl?: boolean;
  readonly json?: boolean;
  readonly adopt?: boolean;
  readonly publicUrl?: string;
  readonly by?: string;
}

/** Serves until it is interrupted. The first Ctrl-C waits for calls in flight; the second abandons them. */
export async function runStudio(cli: CliContext, flags: StudioFlags): Promise<void> {
  const root = rootOf(cli);
  const loaded = await settingsFor(cli, {
    root,
    quiet: flags.printUrl === true || flags.json === true,
  });
  const studio = await openStudio({
    root,
    environment: cli.environment,
    loaded,
    author: await authorOf(cli, flags),
    port: checkedPort(flags.port ?? loaded.settings.studio.port),
    ...(flags.publicUrl === undefined ? {} : { publicUrl: checkedUrl(flags.publicUrl) }),
    adopt: flags.adopt === true,
    telemetry: telemetryFiles(cli),
    report: (error, requestId) => reportError(cli, error, requestId),
  });
  // Before the address is printed, because a reader may stop the studio at once.
  const stopped = untilStopped(cli, studio);
  await Promise.all([announce(cli, studio, flags), stopped]);
}

function untilStopped(cli: CliContext, studio: OpenStudio): Promise<void> {
  return new Promise((resolve, reject) => {
    const listening = cli.onInterrupt((time) => {
      if (time === 1 && studio.busy() > 0) printRemark(cli, finishing);
      studio.stop(time === 1 ? "finish" : "now").then(() => {
        listening();
        resolve();
      }, reject);
    });
  });
}

const finishing =
  "Stopping: calls in flight are being recorded, since they are paid for. Press Ctrl-C again to abandon them.";

async function announce(cli: CliContext, studio: OpenStudio, flags: StudioFlags): Promise<void> {
  if (flags.json === true) {
    const { url, port, adopted } = studio;
    printJson(cli, { url, port, adopted_runs: adopted });
  } else if (flags.printUrl === true) {
    cli.screen.out.write(`${studio.url}\n`);
  } else {
    cli.screen.out.write(`The studio is open at\n  ${studio.url}\n`);
    printRemark(
      cli,
      "The address is a key: anyone who has it can decide in your name. Ctrl-C stops the studio.",
    );
    if (flags.publicUrl !== undefined) {
      printRemark(cli, `Others sign in at ${flags.publicUrl}, with tokens from: ${addCommand}`);
    }
  }
  const { length } = studio.adopted;
  if (length > 0) printRemark(cli, `Resuming ${renderCount(length, "run")}.`);
  if (flags.open === true && !(await studio.open())) {
    printRemark(cli, "No browser could be opened; open the address manually.");
  }
}

const addCommand = "signoff people add --role decide";

function reportError(cli: CliContext, error: unknown, requestId: string): void {
  printRemark(cli, `Request ${requestId} failed:`);
  const layout = cli.layoutOf(cli.screen.err);
  printLines(cli.screen.err, renderError(error, { ...layout, debug: cli.debug() }));
}

/** Over plain HTTP everyone on the way could read the tokens. */
function checkedUrl(given: string): string {
  const url = URL.parse(given);
  if (url?.protocol === "https:" && url.pathname === "/" && url.search === "") return url.origin;
  const hint = "Use scheme and host, such as https://studio.example.com.";
  throw invalidFlag(`${given} is not an https address without a path.`, hint, {
    flag: "--public-url",
  });
}

function checkedPort(port: number): number {
  if (port >= 0 && port <= 65_535) return port;
  const hint = "Use a number from 0 to 65535.";
  throw invalidFlag(`${port} is not a port.`, hint, { flag: "--port" });
}
