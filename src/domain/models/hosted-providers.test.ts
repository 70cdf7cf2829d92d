import { describe, expect, it } from "vitest";
import { hostedAccount } from "./hosted-providers.ts";

const account = (
  provider: Parameters<typeof hostedAccount>[0],
  environment: { readonly [name: string]: string } = {},
  config: Parameters<typeof hostedAccount>[1] = {},
) => hostedAccount(provider, config, (name) => environment[name]);

describe("the account of a hosted provider", () => {
  it("takes the first of its variables that is set, or names the first", () => {
    expect(account("google").variable).toBe("GEMINI_API_KEY");
    const other = "GOOGLE_GENERATIVE_AI_API_KEY";
    expect(account("google", { [other]: "k" }).variable).toBe(other);
    expect(account("google", { [other]: "k" }, { apiKeyEnv: "MINE" }).variable).toBe("MINE");
  });

  it("fills its address from the settings, then from the environment, and says what is missing", () => {
    expect(account("azure", { AZURE_RESOURCE_NAME: "shop" })).toMatchObject({
      ...{ address: "https://shop.openai.azure.com/openai", missing: [] },
    });
    const both = account("vertex", { GOOGLE_VERTEX_PROJECT: "shop" });
    expect(both.missing).toEqual(["location"]);
    expect(both.address).toContain("/projects/shop/locations/{location}/");
    expect(account("azure", {}, { baseUrl: "https://proxy" })).toEqual({
      ...{ address: "https://proxy", variable: "AZURE_API_KEY", missing: [] },
    });
  });

  it("uses the address that belongs to the key that is set", () => {
    const plain = "https://aiplatform.googleapis.com/v1/publishers/google";
    expect(account("vertex", { GOOGLE_VERTEX_API_KEY: "k" })).toMatchObject({
      ...{ address: plain, missing: [] },
    });
    expect(account("vertex", { GOOGLE_APPLICATION_CREDENTIALS: "f" }).address).not.toBe(plain);
  });
});
