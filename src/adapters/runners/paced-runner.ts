import type { Clock } from "../../ports/clock.ts";
import type { Runner } from "../../ports/runner.ts";

/** A runner whose text arrives at reading speed, so that a demonstration can be followed. */
export function paced(
  runner: Runner,
  { clock, millisPerWord }: { readonly clock: Clock; readonly millisPerWord: number },
): Runner {
  return {
    async attempt(request, signal, onText) {
      const parts: string[] = [];
      const attempted = await runner.attempt(request, signal, (part) => parts.push(part));
      for (const part of parts) {
        await clock.sleep(millisPerWord, signal);
        onText?.(part);
      }
      return attempted;
    },
  };
}
