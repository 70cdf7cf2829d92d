import { useSyncExternalStore } from "react";
import { includes, type PersonRole, roles } from "../../src/domain/people/role.ts";

/** What this browser's person may do; nothing is known of the operator, who may do everything. */
let current: PersonRole | undefined;
const listeners = new Set<() => void>();

/** Every answer says the role, so a change of it is seen at once. */
export function keepRole(said: string | null): void {
  const role = roles.find((one) => one === said);
  if (role === current) return;
  current = role;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The role of a person with a token of their own; undefined for the operator. */
export function useRole(): PersonRole | undefined {
  return useSyncExternalStore(listen, () => current);
}

export function useMay(needed: PersonRole): boolean {
  const role = useRole();
  return role === undefined || includes(role, needed);
}
