import { describe, expect, it } from "vitest";
import { AgentError, ConfigurationError } from "../../domain/values/workflow-error.ts";
import { plainPalette } from "./palette.ts";
import { renderError, renderStoredError } from "./render-error.ts";

const layout = { width: 72, palette: plainPalette, debug: false };
const wrongLimit = new ConfigurationError("signoff.yaml, line 7: max_turns is 99, not 1 to 10", {
  code: "out-of-range",
  hint: "Set it to 10 or less.",
});

describe("renderError", () => {
  it("says in one paragraph what happened, to what, and what to do", () => {
    expect(renderError(wrongLimit, layout)).toEqual([
      "Error: signoff.yaml, line 7: max_turns is 99, not 1 to 10. Set it to 10",
      "or less.",
    ]);
  });

  it("shows stacks and causes only to who asks for them", () => {
    const error = new AgentError("Ollama did not answer", {
      code: "unreachable",
      cause: wrongLimit,
    });
    expect(renderError(error, layout)).toEqual(["Error: Ollama did not answer."]);
    const debug = renderError(error, { ...layout, debug: true }).join("\n");
    expect(debug).toContain("render-error.test.ts");
    expect(debug).toContain("caused by ConfigurationError");
  });

  it("owns up to a bug and says how to learn more", () => {
    const said = renderError(new TypeError("x is not a function"), layout).join(" ");
    expect(said).toMatch(/^This is a bug in signoff: x is not a function\. .*--debug/);
    const debug = renderError(new TypeError("x is not a function"), { ...layout, debug: true });
    expect(debug.join(" ")).not.toContain("--debug");
  });

  it("survives whatever was thrown", () => {
    expect(renderError("", layout)[0]).toContain("No reason was given.");
    expect(renderError(undefined, layout)[0]).toContain("undefined");
    const loop = new Error("round");
    loop.cause = loop;
    expect(renderError(loop, { ...layout, debug: true }).length).toBeGreaterThan(3);
  });

  it("disarms what a server put into the message", () => {
    const hostile = new AgentError(`503 \x1B[2J${"x".repeat(1_000_000)}`, { code: "unavailable" });
    const said = renderError(hostile, layout).join("\n");
    expect(said).not.toContain("\x1B");
    expect(said.length).toBeLessThan(3_000);
  });
});

describe("renderStoredError", () => {
  it("finds the hint among the facts", () => {
    const error = {
      code: "unreachable",
      message: "Ollama did not answer.",
      retryable: true,
      facts: { hint: "Start it with ollama serve." },
    };
    expect(renderStoredError(error, layout)).toEqual([
      "Error: Ollama did not answer. Start it with ollama serve.",
    ]);
    expect(
      renderStoredError({ ...error, code: "internal-error", facts: null }, layout)[0],
    ).toContain("This is a bug in signoff");
  });
});
