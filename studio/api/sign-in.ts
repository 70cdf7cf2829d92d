import { ask } from "./client.ts";

/**
 * Exchanges the token for a cookie that no script can read and takes it out of the address before anything is
 * shown, so that it is in no history and no bookmark; not sooner, or a reload meanwhile would have neither. A
 * wrong one is reported by the first request that is refused.
 */
export async function signIn(): Promise<void> {
  const token = tokenIn(window.location.hash);
  if (token === undefined) return;
  await exchange(token).catch(() => undefined);
  window.history.replaceState(null, "", window.location.pathname + window.location.search);
}

export async function exchange(token: string): Promise<void> {
  await ask("POST /api/v1/session", { body: { token } });
}

/** The token of a whole address, or a bare one. */
export function tokenIn(text: string): string | undefined {
  return /token=([\w-]+)/u.exec(text)?.[1] ?? /^\s*([\w-]{40,})\s*$/u.exec(text)?.[1];
}
