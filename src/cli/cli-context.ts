import type { Environment } from "../wiring/config.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Layout } from "./terminal/lay-out.ts";
import type { Screen, Sink } from "./terminal/screen.ts";

/** What every command gets: where it prints, what surrounds it, and how it says how it went. */
export interface CliContext {
  readonly screen: Screen;
  readonly environment: Environment;
  readonly cwd: string;
  readonly debug: () => boolean;
  layoutOf(sink: Sink): Layout;
  /** Sets the code the process will end with. */
  end(code: ExitCode): void;
  /** Calls back on Ctrl-C and SIGTERM until the returned function is called. */
  onInterrupt(listener: (time: number) => void): () => void;
}
