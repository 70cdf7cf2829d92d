import { describe, expect, it } from "vitest";
import {
  AgentError,
  ApprovalTimeoutError,
  ConfigurationError,
  ModelNotFoundError,
  WorkflowError,
} from "../../domain/values/workflow-error.ts";
import type { Ending } from "../../ports/flow.ts";
import { exitCode, exitCodeOfEnding, exitCodeOfError, worstExitCode } from "./exit-code.ts";

const failedWith = (code: string): Ending => ({
  kind: "failed",
  error: { code, message: "It broke.", retryable: false, facts: {} },
});

describe("exit codes of errors", () => {
  it.each([
    [new ConfigurationError("max_turns is 99", { code: "out-of-range" }), 2],
    [new ModelNotFoundError("no such model", { code: "model-not-found" }), 2],
    [new AgentError("no such model", { code: "model-not-found" }), 2],
    [new AgentError("Ollama is down", { code: "unreachable" }), 5],
    [new WorkflowError("held by pid 4711", { code: "run-held" }), 5],
    [new WorkflowError("another process took over", { code: "lease-lost" }), 5],
    [new WorkflowError("the budget is spent", { code: "over-budget" }), 4],
    [new ApprovalTimeoutError("five turns", { code: "not-approved" }), 1],
    [new DOMException("stop", "AbortError"), 130],
    [Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" }), 5],
    [Object.assign(new Error("busy"), { code: "SQLITE_BUSY_SNAPSHOT" }), 5],
    [Object.assign(new Error("no such table"), { code: "SQLITE_ERROR" }), 70],
    [Object.assign(new Error("unknown option"), { code: "commander.x", exitCode: 1 }), 2],
    [Object.assign(new Error("help"), { code: "commander.help", exitCode: 0 }), 0],
    [new TypeError("undefined is not a function"), 70],
    ["a thrown string", 70],
    [undefined, 70],
  ])("%s ends with %i", (error, code) => {
    expect(exitCodeOfError(error)).toBe(code);
  });
});

describe("exit codes of endings", () => {
  it.each([
    ["approved", 0],
    ["max_turns", 1],
    ["stalled", 1],
    ["oscillating", 1],
    ["late_issues", 1],
    ["budget", 4],
    ["error", 5],
    ["cancelled", 130],
  ] as const)("a session that ended %s gives %i", (completionReason, code) => {
    expect(exitCodeOfEnding({ kind: "finished", result: null }, { completionReason })).toBe(code);
  });

  it("never takes a session without a reason for an approval", () => {
    expect(exitCodeOfEnding({ kind: "finished", result: null }, {})).toBe(exitCode.notAccepted);
  });

  it("takes an approved session's word only when the run finished", () => {
    const approved = { completionReason: "approved" } as const;
    expect(exitCodeOfEnding(failedWith("unreachable"), approved)).toBe(exitCode.outside);
    expect(exitCodeOfEnding({ kind: "waiting", decisions: ["d1"] }, approved)).toBe(3);
  });

  it.each([
    [{ kind: "finished", result: {} }, 0],
    [{ kind: "stopped", reason: "budget", facts: {} }, 4],
    [{ kind: "stopped", reason: "interrupted", facts: {} }, 130],
    [{ kind: "stopped", reason: "definition-changed", facts: {} }, 2],
    [{ kind: "cancelled", reason: "by the owner" }, 130],
    [failedWith("internal-error"), 70],
    [failedWith("model-not-found"), 2],
    [failedWith("rate-limited"), 5],
  ] as const)("%j gives %i", (ending, code) => {
    expect(exitCodeOfEnding(ending)).toBe(code);
  });
});

describe("the worst of several", () => {
  it("follows 130, 70, 5, 4, 3, 1, 0", () => {
    const order = [130, 70, 5, 4, 3, 1, 0] as const;
    for (const [at, worst] of order.entries()) {
      expect(worstExitCode(order.slice(at).toReversed())).toBe(worst);
    }
  });

  it("is 0 when nothing was done", () => {
    expect(worstExitCode([])).toBe(0);
  });
});
