import { describe, expect, it } from "vitest";
import { readGeminiOutput } from "./gemini-output.ts";

const stats = (models: object) => ({ stats: { models, tools: {}, files: {} } });
const tokens = { prompt: 120, candidates: 7, total: 127, cached: 40, thoughts: 0, tool: 0 };

describe("readGeminiOutput", () => {
  it("takes the response, and the tokens if one model was used", () => {
    const printed = { response: "SHIP IT!", ...stats({ "gemini-2.5-pro": { api: {}, tokens } }) };
    expect(readGeminiOutput(JSON.stringify(printed))).toEqual({
      kind: "reply",
      text: "SHIP IT!",
      model: "gemini-2.5-pro",
      usage: { input: 120, output: 7, cachedInput: 40 },
    });
  });

  it("leaves the tokens unknown when several models shared the work", () => {
    const both = { "gemini-2.5-pro": { tokens }, "gemini-2.5-flash": { tokens } };
    const read = readGeminiOutput(JSON.stringify({ response: "Yes", ...stats(both) }));
    expect(read).not.toHaveProperty("usage");
  });

  it("takes an error for an error and anything else for unreadable", () => {
    const failed = { error: { type: "ApiError", message: "429 quota", code: 1 } };
    expect(readGeminiOutput(JSON.stringify(failed))).toEqual({
      kind: "error",
      message: "429 quota",
    });
    const broken = { response: "SHIP IT!", ...failed };
    expect(readGeminiOutput(JSON.stringify(broken)).kind).toBe("error");
    for (const text of ["", "SHIP IT!", "{}", '{"response": 7}']) {
      expect(readGeminiOutput(text).kind).toBe("unreadable");
    }
  });
});
