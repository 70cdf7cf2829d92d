import type { ServerResponse } from "node:http";
import { type LoopbackServer, openLoopback, type Seen, sendJson } from "./loopback-server.ts";
import { ollamaEnd, ollamaWire, type Wire, type WireReply } from "./provider-wires.ts";

/** The replies of writer and reviewer, turn by turn; the last one of a list is repeated. */
export interface Story {
  readonly writer: readonly string[];
  readonly reviewer: readonly string[];
}

export const happyStory: Story = {
  writer: ["Hydrate Green, Live Clean", "Hydrate Green, Save Our Seas"],
  reviewer: ["Good rhythm but vague. Be specific about impact.", "SHIP IT!"],
};

export interface ModelServerOptions {
  readonly wire?: Wire;
  readonly story?: Story;
  /** Ids that the provider offers. */
  readonly offers?: readonly string[];
  readonly reported?: Partial<WireReply>;
  /** Handles a request itself; false lets the story answer. */
  readonly instead?: (asked: Asked, response: ServerResponse) => boolean;
  readonly port?: number;
  /** The context length of the model, if the server reports it. */
  readonly contextTokens?: number;
}

export interface Asked {
  readonly seen: Seen;
  /** From 1, of all questions to a model. */
  readonly number: number;
  readonly isReview: boolean;
}

export interface ModelServer extends LoopbackServer {
  /** Questions to a model; lists and facts about models are not among them. */
  readonly asked: readonly Asked[];
}

/** An Ollama whose first reply starts and continues when the test says so; later replies come at once. */
export function hesitant(beginning: string, rest: string) {
  let isLet = false;
  let hear: (response: ServerResponse) => void = () => undefined;
  const asked = new Promise<ServerResponse>((resolve) => {
    hear = resolve;
  });
  return {
    instead: (_: unknown, response: ServerResponse): boolean => {
      if (!isLet) hear(response);
      return !isLet;
    },
    begin: async (): Promise<void> => ollamaWire.begin(await asked, beginning),
    goOn: async (): Promise<void> => {
      isLet = true;
      (await asked).end(ollamaEnd(rest));
    },
  };
}

/** A model server on this machine that replies with a story in one provider's wire format. */
export async function openModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { wire = ollamaWire, story = happyStory, reported = {}, instead } = options;
  const offers = options.offers ?? [idOf(wire.model), "gemma2:2b"];
  const { contextTokens } = options;
  const info = contextTokens === undefined ? {} : { "shop.context_length": contextTokens };
  const facts = { capabilities: [], model_info: info };
  const asked: Asked[] = [];
  const said = { writer: 0, reviewer: 0 };
  const server = await openLoopback(
    (seen, response) => {
      if (seen.path === "/api/show") return sendJson(response, 200, facts);
      if (seen.path === wire.listPath) return sendJson(response, 200, wire.list(offers));
      if (seen.path !== wire.askPath) return sendJson(response, 404, wire.error("no such path"));
      const isReview = seen.text.includes("The text under review");
      const question = { seen, number: asked.length + 1, isReview };
      asked.push(question);
      if (instead?.(question, response) === true) return;
      const role = isReview ? "reviewer" : "writer";
      const lines = story[role];
      const line = lines[Math.min(said[role], lines.length - 1)] ?? "";
      said[role] += 1;
      wire.send(response, { parts: line.split(/(?<= )/u), ...reported });
    },
    options.port === undefined ? {} : { port: options.port },
  );
  return Object.assign(server, { asked });
}

/** The provider's own id of a model, which may have slashes in it. */
function idOf(model: string): string {
  return model
    .split("/")
    .slice(model.startsWith("compatible/") ? 2 : 1)
    .join("/");
}
