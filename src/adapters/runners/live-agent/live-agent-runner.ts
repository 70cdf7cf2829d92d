import type { AskRequest, Runner } from "../../../ports/runner.ts";

export interface LiveAgentSettings {
  /**
   * Writes the prompt where the agent can read it and returns the path to show. Called again when the run is resumed
   * without an answer, so the same request must yield the same file.
   */
  readonly writePrompt: (request: AskRequest) => Promise<string>;
}

/**
 * Represents an agent or a person outside our processes: the attempt ends at once with a question, and the engine
 * turns the answer into the reply.
 */
export function createLiveAgentRunner({ writePrompt }: LiveAgentSettings): Runner {
  return {
    async attempt(request, signal) {
      signal.throwIfAborted();
      const promptFile = await writePrompt(request);
      const { role, model, expects } = request;
      return {
        kind: "suspended",
        question: {
          kind: "live-agent",
          text: `The ${role} (${model}) is asked in ${promptFile}. Answer with the whole reply as ${formOf(expects)}.`,
          choices: [],
          context: { prompt_file: promptFile, role, model, expects },
        },
      };
    },
  };
}

function formOf(expects: AskRequest["expects"]): string {
  switch (expects) {
    case "text":
      return "text";
    case "json":
      return "JSON";
    case "blocks":
      return "the blocks that the prompt describes";
  }
}
