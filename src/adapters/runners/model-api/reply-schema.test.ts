import { expect, it } from "vitest";
import { furtherWires } from "../../../../tests/support/further-wires.ts";
import { openLoopback } from "../../../../tests/support/loopback-server.ts";
import {
  anthropicWire,
  compatibleWire,
  openAiWire,
  openHosted,
  requestFor,
} from "../../../../tests/support/provider-wires.ts";
import type { Runner } from "../../../ports/runner.ts";

const replySchema = {
  type: "object",
  properties: { verdict: { type: "string" }, remark: { type: "string" } },
  required: ["verdict"],
  additionalProperties: false,
};

const reply = '{"verdict":"ok"}';

/** Where each provider's format has the schema of a reply. */
const places: { readonly [provider: string]: object } = {
  openai: { response_format: { json_schema: { schema: replySchema, strict: false } } },
  azure: { response_format: { json_schema: { schema: replySchema, strict: false } } },
  mistral: { response_format: { json_schema: { schema: replySchema, strict: false } } },
  groq: { response_format: { json_schema: { schema: replySchema, strict: false } } },
  openrouter: { response_format: { json_schema: { schema: replySchema, strict: false } } },
  anthropic: { output_config: { format: { type: "json_schema", schema: replySchema } } },
  bedrock: {
    additionalModelRequestFields: {
      output_config: { format: { type: "json_schema", schema: replySchema } },
    },
  },
  google: { generationConfig: { responseMimeType: "application/json" } },
  vertex: { generationConfig: { responseMimeType: "application/json" } },
  xai: { text: { format: { type: "json_schema", schema: replySchema } } },
};

async function sentBy(open: (url: string) => Runner, model: string, wire = openAiWire) {
  const server = await openLoopback((_seen, response) => wire.send(response, { parts: [reply] }));
  const request = requestFor(model, { expects: "json", replySchema });
  const attempted = await open(server.url).attempt(request, new AbortController().signal);
  expect(attempted).toMatchObject({ reply: { text: reply } });
  return server.seen[0]?.json;
}

it.each([openAiWire, anthropicWire, ...furtherWires])(
  "$title is sent the schema of the reply",
  async (wire) => {
    const [provider = ""] = wire.model.split("/");
    const sent = await sentBy(wire.open, wire.model, wire);
    expect(sent).toMatchObject(places[provider] ?? {});
    expect(JSON.stringify(sent)).toContain('"remark"');
  },
);

it("other models on Bedrock are not forced to call a tool", async () => {
  const bedrock = furtherWires.find(({ model }) => model.startsWith("bedrock/"));
  const open = (url: string) => openHosted("bedrock", url);
  const sent = await sentBy(open, "bedrock/meta.llama3-70b-instruct-v1:0", bedrock);
  expect(JSON.stringify(sent)).not.toMatch(/remark|tool/u);
});

it("a server is sent it only where its settings say that it knows schemas", async () => {
  const sent = await sentBy(compatibleWire.open, compatibleWire.model, compatibleWire);
  expect(JSON.stringify(sent)).not.toContain('"remark"');
});
