import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Json } from "../domain/values/json.ts";

/** JSON that is written and compressed once and sent many times. */
export interface PackedJson {
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

const zip = promisify(gzip);
const unzip = promisify(gunzip);

export async function packJson(wire: Json): Promise<PackedJson> {
  return { gzipped: new Uint8Array(await zip(JSON.stringify(wire))) };
}

export async function packedResponse(
  { gzipped }: PackedJson,
  accepted: string | null,
  init: { readonly status: number; readonly headers: { readonly [name: string]: string } },
): Promise<Response> {
  const isPacked = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/iu.test(accepted ?? "");
  const body = isPacked ? gzipped : new Uint8Array(await unzip(gzipped));
  const encoding = isPacked ? { "content-encoding": "gzip" } : {};
  const headers = { "content-type": "application/json", vary: "Accept-Encoding", ...encoding };
  return new Response(body, { ...init, headers: { ...headers, ...init.headers } });
}
