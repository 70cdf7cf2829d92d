import type { CoderOutput, CoderProgram } from "../../../ports/coder.ts";

/** A command as `commands` in the configuration describes it. */
export interface CommandPreset {
  readonly argv: readonly string[];
  readonly reads: CoderOutput | "acp";
  /** Variables it may see beyond the harmless ones. */
  readonly passes: readonly string[];
  readonly seconds: number;
  /** Longest time without output; absent if the agent prints only at its end. */
  readonly idleSeconds?: number;
}

/**
 * The agents answer from the prompt alone: `claude` gets no tools and no MCP servers, `codex` a read-only sandbox, and
 * `gemini` asks for permissions that are never given. A project that wants more configures its own argv, which requires
 * trust.
 */
export const commandPresets: { readonly [Name in PresetCommand]: CommandPreset } = {
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
  gemini: {
    argv: ["gemini", "--output-format", "json", "--approval-mode", "default"],
    reads: "gemini-json",
    passes: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT"],
    seconds: 900,
  },
};

export type PresetCommand = "claude" | "codex" | "gemini";

export function isPresetCommand(name: string): name is PresetCommand {
  return Object.hasOwn(commandPresets, name);
}

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
