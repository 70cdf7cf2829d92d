import type { Redactor } from "../../domain/settings/redactor.ts";
import { defined } from "../../domain/values/defined.ts";
import { AgentError, ModelNotFoundError, RunnerError } from "../../domain/values/workflow-error.ts";
import type { Runner } from "../../ports/runner.ts";

/** A server that receives a key can echo it; secrets are removed before anything is stored, shown or logged. */
export function redactedRunner(runner: Runner, redactor: Redactor): Runner {
  return {
    ...runner,
    async attempt(request, signal, onText, beforeSending) {
      const stream = onText && redactor.stream(onText);
      try {
        const attempted = await runner.attempt(request, signal, stream?.write, beforeSending);
        stream?.end();
        if (attempted.kind === "suspended") return attempted;
        const { reply } = attempted;
        const text = redactor.text(reply.text);
        return { kind: "replied", reply: { ...reply, text, model: redactor.text(reply.model) } };
      } catch (thrown) {
        stream?.end();
        throw redactedError(thrown, redactor);
      }
    },
  };
}

/** Without the cause, which contains the server's text: `--debug` would show it. */
function redactedError(thrown: unknown, redactor: Redactor): unknown {
  if (!(thrown instanceof AgentError)) return thrown;
  const { code, retryable, hint } = thrown;
  const facts = redactor.json(thrown.facts) as AgentError["facts"];
  const about = { code, retryable, facts, ...defined({ hint }) };
  const message = redactor.text(thrown.message);
  if (thrown instanceof ModelNotFoundError) return new ModelNotFoundError(message, about);
  const wait = thrown instanceof RunnerError ? thrown.retryAfterMs : undefined;
  return new RunnerError(message, { ...about, ...defined({ retryAfterMs: wait }) });
}
