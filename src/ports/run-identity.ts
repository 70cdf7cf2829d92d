import type { Digest } from "../domain/values/digest.ts";
import type { RunId } from "../domain/values/ids.ts";
import type { Json } from "../domain/values/json.ts";
import type { AskRequest } from "./runner.ts";

/** How ids, nonces and digests of a run are computed: the same on every replay and every engine. */
export interface RunIdentity {
  idInRun(run: RunId, name: string): string;
  nonceInRun(run: RunId, name: string): string;
  digestOfRequest(request: AskRequest): Digest;
  digestOfJson(value: Json): Digest;
}
