import { WorkflowError } from "../../../domain/values/workflow-error.ts";

export type NetworkReason =
  | { readonly kind: "unreachable" | "cut" | "certificate"; readonly code: string }
  /** Thrown by our own code inside a fetch. */
  | { readonly kind: "ours"; readonly error: WorkflowError };

const cut = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "UND_ERR_SOCKET"]);
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOST\w+|ENET\w+|ETIMEDOUT|EADDRNOTAVAIL|EPROTO|ERR_SSL_\w+|UND_ERR_\w+)$/u;
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_\w+|HOSTNAME_MISMATCH/u;

/** Why the network failed, found along the causes; `undefined` when nothing says it was the network. */
export function networkReason(thrown: unknown): NetworkReason | undefined {
  let bodyEnded = false;
  for (const error of causesOf(thrown)) {
    if (error instanceof WorkflowError) return { kind: "ours", error };
    bodyEnded ||= error instanceof TypeError && error.message === "terminated";
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    if (cut.has(code)) return { kind: "cut", code };
    if (certificate.test(code)) return { kind: "certificate", code };
    if (unreachable.test(code)) return { kind: "unreachable", code };
  }
  return bodyEnded ? { kind: "cut", code: "terminated" } : undefined;
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
