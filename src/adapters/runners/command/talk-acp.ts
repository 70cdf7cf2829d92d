import type { NewSessionResponse, PromptResponse } from "@agentclientprotocol/sdk";
import type { AgentOutput } from "../../../protocol/agents/agent-output.ts";
import type { ProcessPipes } from "./run-process.ts";

/**
 * Asks an agent over the Agent Client Protocol: one session, one prompt. The agent gets no files and no terminal from
 * us, and every permission it asks for is refused.
 */
export async function talkAcp(
  pipes: ProcessPipes,
  about: {
    readonly prompt: string;
    readonly cwd: string;
    readonly onText?: (part: string) => void;
  },
): Promise<AgentOutput> {
  const { client, methods, ndJsonStream, PROTOCOL_VERSION } = await import(
    "@agentclientprotocol/sdk"
  );
  let text = "";
  const app = client({ name: "signoff" })
    .onRequest(methods.client.session.requestPermission, () => ({
      outcome: { outcome: "cancelled" as const },
    }))
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") {
        about.onText?.("");
        return;
      }
      text += update.content.text;
      about.onText?.(update.content.text);
    });
  try {
    const { stopReason } = await app.connectWith(
      ndJsonStream(pipes.input, pipes.output),
      async (agent) => {
        await agent.request(methods.agent.initialize, {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: {
            fs: { readTextFile: false, writeTextFile: false },
            terminal: false,
          },
        });
        const opened = { cwd: about.cwd, mcpServers: [] };
        const { sessionId } = await agent.request<NewSessionResponse>(
          methods.agent.session.new,
          opened,
        );
        const prompt = [{ type: "text" as const, text: about.prompt }];
        return agent.request<PromptResponse>(methods.agent.session.prompt, { sessionId, prompt });
      },
    );
    if (stopReason === "end_turn") return { kind: "reply", text };
    if (stopReason === "max_tokens") return { kind: "reply", text, isCut: true };
    return { kind: "error", message: `the agent stopped: ${stopReason}` };
  } catch (thrown) {
    const { message, data } = thrown as { readonly message?: string; readonly data?: unknown };
    return { kind: "error", message: [message, data && JSON.stringify(data)].join(" ").trim() };
  }
}
