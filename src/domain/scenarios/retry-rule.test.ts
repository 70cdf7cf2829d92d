import { describe, expect, it } from "vitest";
import { decideRetry } from "./retry-rule.ts";
import type { SessionKind, TransportFailure } from "./turn.ts";

const lost: TransportFailure = { kind: "connection_closed", message: "", accepted: true };
const decided = (
  failure: Partial<TransportFailure>,
  about: {
    readonly sessions?: SessionKind;
    readonly sessionId?: string;
    readonly attempt?: number;
  },
) => decideRetry({ ...lost, ...failure }, { sessions: "given", attempt: 0, retries: 2, ...about });

describe("a question without an answer", () => {
  it("ends the run if it never reached the assistant", () => {
    expect(decided({ accepted: false }, {})).toBe("stop");
  });

  it("is sent again in a new conversation, or where the assistant keeps none", () => {
    expect(decided({}, {})).toBe("send-again");
    expect(decided({}, { sessions: "history", sessionId: "s1" })).toBe("send-again");
  });

  it("is looked for in a conversation that the assistant keeps", () => {
    expect(decided({}, { sessionId: "s1" })).toBe("look");
    expect(decided({}, { sessions: "client", sessionId: "s1" })).toBe("look");
  });

  it("is repeated after a server error, and after no other", () => {
    expect(decided({ kind: "http_error", httpStatus: 500 }, {})).toBe("send-again");
    expect(decided({ kind: "http_error", httpStatus: 499 }, {})).toBe("fail");
    expect(decided({ kind: "http_error" }, {})).toBe("fail");
    expect(decided({ kind: "timed_out", httpStatus: 503 }, {})).toBe("fail");
  });

  it("fails when the retries are used up", () => {
    expect(decided({}, { attempt: 1 })).toBe("send-again");
    expect(decided({}, { attempt: 2 })).toBe("fail");
  });
});
