import { describe, expect, it } from "vitest";
import {
  assistantAt,
  chatAnswer,
  memory,
  openTalk,
  pieces,
  sendJson,
  sendStream,
  type Talk,
} from "../support/assistant-talks.ts";

const keyed = (preset: string, header: string) =>
  assistantAt(`    preset: ${preset}\n    model: shop-1\n    headers: { ${header} }\n`);
const named = (events: readonly { readonly type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** Refuses what Anthropic's own service refuses. */
const anthropic =
  (isStream: boolean): NonNullable<Talk["answer"]> =>
  ({ path, headers, text }, response) => {
    const { model, max_tokens: most, messages } = JSON.parse(text);
    const roles = messages.map(({ role }: { readonly role: string }) => role).join(" ");
    const isComplete = headers["x-api-key"] === "k" && headers["anthropic-version"] !== undefined;
    if (path !== "/v1/messages" || !isComplete || most === undefined || /user user/u.test(roles)) {
      return sendJson(response, { type: "error", error: { message: "invalid request" } }, 400);
    }
    const answer = chatAnswer(text);
    const about = { id: "msg_1", type: "message", role: "assistant", model };
    if (!isStream) {
      const content = [{ type: "text", text: answer }];
      return sendJson(response, { ...about, content, stop_reason: "end_turn", usage: {} });
    }
    return sendStream(
      response,
      "text/event-stream",
      named([
        { type: "message_start", message: { ...about, content: [] } } as never,
        {
          type: "content_block_start",
          index: 0,
          content_block: { type: "text", text: "" },
        } as never,
        { type: "ping" },
        ...pieces(answer).map(
          (piece) =>
            ({ type: "content_block_delta", delta: { type: "text_delta", text: piece } }) as never,
        ),
        { type: "content_block_stop", index: 0 } as never,
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} } as never,
        { type: "message_stop" },
      ]),
    );
  };

const presets: readonly (readonly [string, () => Talk])[] = [
  [
    "anthropic-messages",
    () => ({ settings: keyed("anthropic-messages", "x-api-key: k"), answer: anthropic(false) }),
  ],
  [
    "anthropic-messages as a stream",
    () => ({
      settings: `${keyed("anthropic-messages", "x-api-key: k")}    stream: true\n`,
      answer: anthropic(true),
    }),
  ],
  [
    "rasa-rest, in several messages of which one is a picture",
    () => {
      const known = memory();
      return {
        settings: assistantAt("    preset: rasa-rest\n"),
        answer: ({ path, text }, response) => {
          const { sender, message } = JSON.parse(text);
          if (path !== "/webhooks/rest/webhook" || typeof sender !== "string") {
            return sendJson(response, { status: "failure" }, 400);
          }
          const said = known(sender, message);
          return sendJson(response, [
            { recipient_id: sender, text: said },
            { recipient_id: sender, image: "https://shop.example/desk.png" },
          ]);
        },
      };
    },
  ],
  [
    "dify-chat, which names the conversation",
    () => {
      const known = memory();
      return {
        settings: keyed("dify-chat", "authorization: Bearer k"),
        answer: ({ path, headers, text }, response) => {
          const { query, user, inputs, conversation_id: before = "" } = JSON.parse(text);
          if (path !== "/v1/chat-messages" || headers.authorization !== "Bearer k") {
            return sendJson(
              response,
              { code: "unauthorized", message: "no key", status: 401 },
              401,
            );
          }
          if (user === undefined || inputs === undefined) {
            return sendJson(response, { code: "invalid_param", message: "user", status: 400 }, 400);
          }
          const id = before === "" ? "45701982-8118-4bc5-8e9b-64562b4555f2" : before;
          return sendJson(response, {
            ...{ event: "message", task_id: "t", id: "m1", message_id: "m1", mode: "chat" },
            ...{ conversation_id: id, answer: known(id, query), metadata: {}, created_at: 1 },
          });
        },
      };
    },
  ],
];

describe("a preset asks a chain in the format of its service", () => {
  it.each(presets)("%s", async (_, talk) => {
    const shop = await openTalk(talk());
    const ended = await shop.play("-q");
    expect(ended.out + ended.err).toContain("2 of 2 steps accepted");
    expect(ended.code).toBe(0);
    expect(shop.json("scenarios/desk/scenario_state.json").steps[1].answer_text).toBe(
      "Nordholz supplied them.",
    );
  });
});
