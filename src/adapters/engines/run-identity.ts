import { createHash, hash } from "node:crypto";
import { parse } from "uuid";
import { type Digest, digest } from "../../domain/values/digest.ts";
import type { Key, RunId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { uuidOfSha1 } from "../../domain/values/uuid-of-sha1.ts";
import type { AskRequest } from "../../ports/runner.ts";

/** The same id for the same name in the same run, on every replay and every engine: a UUID of version 5. */
export function idInRun(run: RunId, name: string): string {
  return uuidOfSha1(hash("sha1", Buffer.concat([parse(run), Buffer.from(name)])));
}

/** 80 bits that cannot be guessed without the run id. */
export function nonceInRun(run: RunId, name: string): string {
  return hash("sha256", `${run}\n${name}`).slice(0, 20);
}

/** Names the question that a run asks at this key. */
export function decisionId(run: RunId, key: Key): string {
  return `${run}:${key}`;
}

/**
 * Digest of everything that reaches the model; `task` and `ordinal` are the same facts in another form. The long
 * texts are hashed verbatim: the length of the first separates them.
 */
export function digestOfRequest(request: AskRequest): Digest {
  const { role, model, system, user, expects, settings, formatVersion } = request;
  const head = canonicalJson([role, model, expects, settings, formatVersion, system.length]);
  return digest(hash("sha256", `${head}${system}${user}`));
}

export function digestOfJson(value: Json): Digest {
  const hashing = createHash("sha256");
  let text = "";
  writeCanonical(value, (part) => {
    text += part;
    if (text.length < hashedAtOnce) return;
    hashing.update(text);
    text = "";
  });
  return digest(hashing.update(text).digest("hex"));
}

/** The whole text of a large input, with all its parts, would take many times the memory of the input. */
const hashedAtOnce = 65_536;

function canonicalJson(value: Json): string {
  let text = "";
  writeCanonical(value, (part) => {
    text += part;
  });
  return text;
}

/** JSON text with sorted names, so that equal values have equal digests. */
function writeCanonical(value: Json, write: (part: string) => void): void {
  if (value === null || typeof value !== "object") {
    write(JSON.stringify(value));
  } else if (Array.isArray(value)) {
    value.forEach((element, at) => {
      write(at === 0 ? "[" : ",");
      writeCanonical(element, write);
    });
    write(value.length === 0 ? "[]" : "]");
  } else {
    const members = value as { readonly [name: string]: Json };
    let before = "{";
    for (const name of Object.keys(members).sort()) {
      const member = members[name];
      if (member === undefined) continue;
      write(`${before}${JSON.stringify(name)}:`);
      writeCanonical(member, write);
      before = ",";
    }
    write(before === "{" ? "{}" : "}");
  }
}
