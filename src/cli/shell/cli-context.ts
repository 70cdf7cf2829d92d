import type { Environment } from "../../wiring/settings/environment.ts";
import type { LogLevel } from "../../wiring/settings/log-levels.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Layout } from "./lay-out.ts";
import type { Screen, Sink } from "./screen.ts";

/** What every command gets: where it prints, its environment, and how it reports its exit code. */
export interface CliContext {
  readonly screen: Screen;
  readonly environment: Environment;
  readonly cwd: string;
  readonly debug: () => boolean;
  /** Options that may precede or follow any command. */
  readonly globals: () => GlobalOptions;
  layoutOf(sink: Sink): Layout;
  /** Sets the code the process will end with. */
  end(code: ExitCode): void;
  /** Calls back on Ctrl-C and SIGTERM until the returned function is called. */
  onInterrupt(listener: (time: number) => void): () => void;
}

export interface GlobalOptions {
  readonly debug?: boolean;
  /** The project's settings may run programs and send keys, for this command only. */
  readonly trust?: boolean;
  readonly logLevel?: LogLevel;
  readonly logFile?: string;
  readonly metricsFile?: string;
}
