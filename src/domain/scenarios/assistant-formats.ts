/** How a question is sent over HTTP. */
export const METHODS = ["POST", "PUT", "GET"] as const;

/** What the body of a request is written as; with GET it is the query. */
export const BODY_FORMATS = ["json", "form", "multipart", "text"] as const;

/** What a reply is read as; `auto` goes by the type of its content. */
export const REPLY_FORMATS = ["auto", "json", "text", "sse", "ndjson"] as const;

/** Formats that many assistants share. */
export const PRESETS = [
  "openai-chat",
  "openai-responses",
  "anthropic-messages",
  "ollama-chat",
  "rasa-rest",
  "dify-chat",
] as const;

export type PresetName = (typeof PRESETS)[number];
