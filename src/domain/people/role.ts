/** What a person may do in a shared studio. Each role includes those before it. */
export const roles = ["look", "decide", "run"] as const;

export type PersonRole = (typeof roles)[number];

export function includes(role: PersonRole, needed: PersonRole): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
