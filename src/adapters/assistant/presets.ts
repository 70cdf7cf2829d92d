import type { PresetName } from "../../domain/scenarios/assistant-formats.ts";
import type { SessionKind } from "../../domain/scenarios/turn.ts";
import type { Json } from "../../domain/values/json.ts";
import type { AnswerMapping, MessageSettings } from "./assistant-settings.ts";

/** What a preset says about an assistant; everything can still be set by itself. */
export interface AssistantPreset {
  readonly message: Partial<Omit<MessageSettings, "answer">> & {
    readonly answer: Partial<AnswerMapping>;
  };
  readonly sessions: SessionKind;
  /** That every request needs; keys come from the settings. */
  readonly headers?: { readonly [name: string]: string };
}

const chatBody: Json = { model: "{{model}}", messages: "{{messages}}", stream: "{{stream}}" };

/** Formats that many assistants share, by name. */
export const assistantPresets: { readonly [name in PresetName]: AssistantPreset } = {
  "openai-chat": {
    message: {
      path: "/v1/chat/completions",
      body: chatBody,
      until: "choices[0].finish_reason",
      answer: {
        text: "choices[0].message.content",
        delta: "choices[0].delta.content",
        sessionId: "`null`",
        messageId: "id",
        version: "model",
        debug: "{finish_reason: choices[0].finish_reason, usage: usage}",
        toolCalls: "choices[0].message.tool_calls || choices[0].delta.tool_calls",
        error: "error.message || error",
      },
    },
    sessions: "history",
  },
  "openai-responses": {
    message: {
      path: "/v1/responses",
      body: {
        model: "{{model}}",
        input: "{{question}}",
        previous_response_id: "{{session_id}}",
        stream: "{{stream}}",
      },
      until: "type == 'response.completed' || type == 'response.incomplete'",
      answer: {
        text: "join('', (output || response.output)[?type == 'message'].content[] | [?type == 'output_text'].text)",
        delta: "(type == 'response.output_text.delta' && delta) || `null`",
        sessionId: "response.id || (object == 'response' && id) || `null`",
        messageId: "response.id || (object == 'response' && id) || `null`",
        version: "response.model || model",
        debug: "{status: status || response.status, usage: usage || response.usage}",
        toolCalls: "(output || response.output)[?type == 'function_call']",
        error: "error.message || response.error.message || error",
      },
    },
    sessions: "rotating",
  },
  "anthropic-messages": {
    message: {
      path: "/v1/messages",
      body: {
        model: "{{model}}",
        max_tokens: 1024,
        messages: "{{messages}}",
        stream: "{{stream}}",
      },
      until: "type == 'message_stop'",
      answer: {
        text: "join('', content[?type == 'text'].text)",
        delta: "delta.text",
        sessionId: "`null`",
        messageId: "id || message.id",
        version: "model || message.model",
        debug: "{stop_reason: stop_reason || delta.stop_reason, usage: usage}",
        toolCalls: "content[?type == 'tool_use'].{name: name, arguments: input}",
        error: "error.message",
      },
    },
    sessions: "history",
    headers: { "anthropic-version": "2023-06-01" },
  },
  "ollama-chat": {
    message: {
      path: "/api/chat",
      body: chatBody,
      until: "done",
      answer: {
        text: "message.content",
        delta: "message.content",
        sessionId: "`null`",
        version: "model",
        debug: "{done_reason: done_reason}",
        toolCalls: "message.tool_calls",
        error: "error",
      },
    },
    sessions: "history",
  },
  "rasa-rest": {
    message: {
      path: "/webhooks/rest/webhook",
      body: { sender: "{{session_id}}", message: "{{question}}" },
      answer: { text: "join('\\n', [?text].text)", sessionId: "[0].recipient_id" },
    },
    sessions: "client",
  },
  "dify-chat": {
    message: {
      path: "/v1/chat-messages",
      body: {
        query: "{{question}}",
        inputs: {},
        user: "signoff",
        response_mode: "blocking",
        conversation_id: "{{session_id}}",
      },
      answer: {
        text: "answer",
        delta: "answer",
        sessionId: "conversation_id",
        messageId: "message_id",
        error: "(event == 'error' && message) || `null`",
      },
    },
    sessions: "given",
  },
};
