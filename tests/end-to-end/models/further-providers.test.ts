import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { furtherWires, vertexWire } from "../../support/further-wires.ts";
import { openModelServer } from "../../support/model-servers.ts";
import { secretKey, type Wire } from "../../support/provider-wires.ts";
import { inFolder, runSignoff } from "../../support/signoff-process.ts";

/** Where each provider's requests begin, on a server of our own. */
function baseUrl(wire: Wire, url: string): string {
  const [path = ""] = wire.askPath.split(/\/(?:chat\/completions|responses|models\/|model\/)/u);
  return `${url}${path}`;
}

async function drafted(wire: Wire, more: readonly string[] = ["--trust"]) {
  return inFolder(async (cwd) => {
    const server = await openModelServer({ wire });
    const [provider = ""] = wire.model.split("/");
    const settings = `{ base_url: "${baseUrl(wire, server.url)}", api_key_env: SHOP_KEY }`;
    await writeFile(
      join(cwd, "signoff.yaml"),
      `version: 1\nproviders: { ${provider}: ${settings} }\n`,
    );
    const args = ["draft", "eco-friendly water bottles", "--model", wire.model, "--json", ...more];
    const ended = await runSignoff(args, { cwd, env: { SHOP_KEY: secretKey } });
    return { ...ended, server };
  });
}

describe.each(furtherWires)("a draft with $title", (wire) => {
  it("comes to an approval, with the tokens that were used and their price if it is known", async () => {
    const { code, stdout, stderr, server } = await drafted(wire);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(server.asked).toHaveLength(4);
    expect(JSON.parse(stdout)).toMatchObject({
      completion_reason: "approved",
      final_slogan: "Hydrate Green, Save Our Seas",
      usage: {
        calls: 4,
        input_tokens: 80,
        output_tokens: 20,
        micro_usd: wire.model === "google/gemini-2.5-pro" ? 4 * (20 * 1.25 + 5 * 10) : null,
      },
    });
    const sent = JSON.stringify(server.asked[0]?.seen.headers);
    expect(sent).toContain(secretKey);
  });
});

describe("settings of a hosted provider", () => {
  it("send no key before they are trusted", async () => {
    const { code, stderr, server } = await drafted(vertexWire, []);
    expect(code).toBe(2);
    expect(stderr).toContain("providers.vertex");
    expect(server.seen).toHaveLength(0);
  });

  it("say which part of an address is missing, and where to set it", async () => {
    const args = ["draft", "bottles", "--model", "bedrock/claude"];
    const env = { AWS_BEARER_TOKEN_BEDROCK: secretKey };
    const { code, stderr } = await inFolder((cwd) => runSignoff(args, { cwd, env }));
    expect(code).toBe(2);
    expect(stderr).toMatch(/no region set.*AWS_REGION.*providers\.bedrock\.region/su);
  });
});
