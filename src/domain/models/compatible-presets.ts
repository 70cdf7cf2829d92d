import type { CompatibleServer } from "../settings/project-config.ts";

/** Servers that people run themselves, at the address where each listens by default. */
export const compatiblePresets: { readonly [name: string]: CompatibleServer } = {
  vllm: { baseUrl: "http://localhost:8000/v1", structuredOutput: true },
  lmstudio: { baseUrl: "http://localhost:1234/v1", structuredOutput: true },
  llamacpp: { baseUrl: "http://localhost:8080/v1", structuredOutput: true },
};
