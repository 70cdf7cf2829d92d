import { defined } from "../values/defined.ts";
import type { PackRecord } from "./run-record.ts";

/** What a run's answers came from. */
export interface AssistantIdentity {
  readonly url: string;
  readonly name?: string;
  /** As its answers showed it; `unobserved` where it is not configured how they do. */
  readonly version: string;
}

/** A person's word that a run was meant to be of another assistant than the one before it. */
export interface AssistantChange {
  readonly from: string;
  readonly reason: string;
}

export function assistantIdentityOf(
  at: { readonly assistantUrl: string; readonly assistantName?: string },
  { scenarios }: PackRecord,
): AssistantIdentity {
  const versions = new Set(scenarios.flatMap(({ assistantVersions = [] }) => assistantVersions));
  const version = versions.size === 0 ? "unobserved" : [...versions].sort().join(", ");
  return { url: at.assistantUrl, ...defined({ name: at.assistantName }), version };
}

export function describeAssistant({ url, name, version }: AssistantIdentity): string {
  const named = name === undefined ? url : `${name} at ${url}`;
  return `${named}, version ${version}`;
}

type Place = Pick<AssistantIdentity, "url" | "name">;

/** Two runs are of the same assistant if it has the same name and address; its version may change. */
export function isSameAssistant(left: Place, right: Place): boolean {
  const address = ({ url }: Place) => url.replace(/\/+$/u, "");
  return address(left) === address(right) && left.name === right.name;
}

export function assistantName({ url, name }: Pick<AssistantIdentity, "url" | "name">): string {
  return name === undefined ? url : `${name} at ${url}`;
}
