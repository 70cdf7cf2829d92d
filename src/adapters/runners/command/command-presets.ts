import type { CoderOutput, CoderProgram } from "../../../ports/coder.ts";

/** A command as `commands` in the configuration describes it. */
export interface CommandPreset {
  readonly argv: readonly string[];
  readonly reads: CoderOutput;
  /** Variables it may see beyond the harmless ones. */
  readonly passes: readonly string[];
  readonly seconds: number;
  /** Longest time without output; absent if the agent prints only at its end. */
  readonly idleSeconds?: number;
}

/**
 * Both agents answer from the prompt alone: `claude` gets no tools and no MCP servers, `codex` a read-only sandbox. A
 * project that wants more configures its own argv, which requires trust.
 */
export const commandPresets: { readonly claude: CommandPreset; readonly codex: CommandPreset } = {
  claude: {
    argv: ["claude", "-p", "--output-format", "json", "--tools", "", "--strict-mcp-config"],
    reads: "claude-json",
    passes: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR"],
    seconds: 900,
  },
  codex: {
    argv: ["codex", "exec", "--json", "--sandbox", "read-only", "--skip-git-repo-check", "-"],
    reads: "codex-json",
    passes: ["OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"],
    seconds: 900,
    idleSeconds: 300,
  },
};

/** Coders known by name, started so that they may change files. */
export const coderPresets: { readonly [name: string]: Omit<CoderProgram, "timeoutMs"> } = {
  claude: {
    argv: [
      ...["claude", "-p", "--output-format", "json", "--permission-mode", "acceptEdits"],
      "--strict-mcp-config",
    ],
    reads: "claude-json",
  },
  codex: {
    argv: ["codex", "exec", "--json", "--sandbox", "workspace-write", "-"],
    reads: "codex-json",
  },
};
