import { WorkflowError } from "../../../domain/values/workflow-error.ts";

export type NetworkReason =
  | { readonly kind: "unreachable" | "cut" | "certificate"; readonly code: string }
  /** Fetch never opens ports that belong to other protocols, such as 22 and 6000. */
  | { readonly kind: "blocked-port" }
  /** Thrown by our own code inside a fetch. */
  | { readonly kind: "ours"; readonly error: WorkflowError };

const cut = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "UND_ERR_SOCKET"]);
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOST\w+|ENET\w+|ETIMEDOUT|EADDRNOTAVAIL|EPROTO|ERR_SSL_\w+|UND_ERR_\w+)$/u;
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_\w+|HOSTNAME_MISMATCH/u;

/** Why the network failed, according to the chain of causes; `undefined` if it was not the network. */
export function networkReason(thrown: unknown): NetworkReason | undefined {
  let bodyEnded = false;
  for (const error of causesOf(thrown)) {
    if (error instanceof WorkflowError) return { kind: "ours", error };
    if (error.message === "bad port") return { kind: "blocked-port" };
    bodyEnded ||= error instanceof TypeError && error.message === "terminated";
    const reason = reasonOfCode("code" in error ? error.code : undefined);
    if (reason !== undefined) return reason;
  }
  return bodyEnded ? { kind: "cut", code: "terminated" } : undefined;
}

function reasonOfCode(code: unknown): NetworkReason | undefined {
  if (typeof code !== "string") return undefined;
  if (cut.has(code)) return { kind: "cut", code };
  if (certificate.test(code)) return { kind: "certificate", code };
  return unreachable.test(code) ? { kind: "unreachable", code } : undefined;
}

function* causesOf(thrown: unknown): Generator<Error> {
  const seen = new Set<unknown>();
  const open = [thrown];
  while (open.length > 0) {
    const each = open.shift();
    if (!(each instanceof Error) || seen.has(each)) continue;
    seen.add(each);
    yield each;
    open.push(each.cause, ...(each instanceof AggregateError ? each.errors : []));
  }
}
