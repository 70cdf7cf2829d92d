// An agent that speaks the Agent Client Protocol on its standard streams. Its first argument says how it behaves.
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const [how = "answers"] = process.argv.slice(2);
if (how === "crashes") process.exit(7);

agent({ name: "shop-agent" })
  .onRequest(methods.agent.initialize, ({ params }) => ({
    protocolVersion: params.protocolVersion,
    agentCapabilities: {},
  }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const say = (text) =>
      client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
      });
    if (how === "refuses") throw RequestError.internalError(undefined, "quota exceeded");
    if (how === "hangs") return new Promise(() => undefined);
    if (how === "asks") {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: "t1", title: "Delete everything" },
        options: [{ optionId: "yes", name: "Allow", kind: "allow_once" }],
      });
      await say(`permission: ${outcome.outcome}`);
      return { stopReason: "end_turn" };
    }
    await say("You asked: ");
    await say(prompt[0].text.split("\n").at(-1));
    return { stopReason: how === "cut" ? "max_tokens" : "end_turn" };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
