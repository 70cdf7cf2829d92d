import { ask } from "./client.ts";

/**
 * Takes the token out of the address at once, so that it is in no history and no bookmark, and exchanges it for
 * a cookie that no script can read. A wrong one is told by the first request that is refused.
 */
export async function signIn(): Promise<void> {
  const token = tokenIn(window.location.hash);
  if (token === undefined) return;
  window.history.replaceState(null, "", window.location.pathname + window.location.search);
  await exchange(token).catch(() => undefined);
}

export async function exchange(token: string): Promise<void> {
  await ask("POST /api/v1/session", { body: { token } });
}

/** The token of a whole address, or a bare one. */
export function tokenIn(text: string): string | undefined {
  return /token=([\w-]+)/u.exec(text)?.[1] ?? /^\s*([\w-]{40,})\s*$/u.exec(text)?.[1];
}
