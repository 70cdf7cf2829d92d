import { foldWhiteSpace } from "../../domain/gates/note-parts.ts";
import { decodeEntities } from "../../domain/values/decode-entities.ts";
import type { ResultForm } from "./read-result.ts";

const letters = "abcdefghjkmnpqrstuvwxyz23456789";
const length = 10;

/**
 * The code of one block's result line: ten letters out of 31, made from the run's nonce and the block's name. One
 * that occurs in a note or gate is passed over, so none of them can hold a result line that counts.
 */
export function resultCode(nonce: string, block: string, sources: readonly string[]): string {
  for (let attempt = 0; ; attempt += 1) {
    const code = codeOf(`${nonce}\n${block}\n${attempt}`);
    if (!sources.some((source) => source.toLowerCase().includes(code))) return code;
  }
}

/** What the result line of each block has to look like, given all that the prompt shows. */
export function resultForms(
  nonce: string,
  sources: readonly string[],
): (block: string) => ResultForm {
  const takesUncoded = !sources.some(holdsResult);
  return (block) => ({ code: resultCode(nonce, block, sources), takesUncoded });
}

const result =
  /(?<![\p{L}\p{N}])(?:results?|verdict|outcome|decision|status)[^\p{L}\p{N}]{0,20}(?:[a-z0-9]{6,20}[^\p{L}\p{N}]{1,20})?(?:pass|warn|fail|error)/iu;

const entityNames = { colon: ":", nbsp: " ", num: "#", ast: "*" };

/** Whether a text holds anything that a reply could repeat as a result line, however it is disguised. */
function holdsResult(source: string): boolean {
  const plain = decodeEntities(source, entityNames)
    .normalize("NFKC")
    .replace(/\p{Cf}+/gu, "");
  const forms = [plain.replace(/<!--|-->|<[^<>]{0,200}>/gu, ""), withoutComments(plain)];
  return forms.some((form) => result.test(foldWhiteSpace(form)));
}

function withoutComments(text: string): string {
  return text
    .split("<!--")
    .map((part, at) => (at === 0 ? part : part.slice(endOfComment(part))))
    .join("");
}

function endOfComment(part: string): number {
  const end = part.indexOf("-->");
  return end === -1 ? part.length : end + 3;
}

/** Two 32-bit mixes of the text; the nonce is the secret, so mixing well is enough. */
function codeOf(text: string): string {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    two = Math.imul(two ^ unit, 0x5f356495);
  }
  let code = "";
  for (let at = 0; at < length; at += 1) {
    one = Math.imul(one ^ (one >>> 15), 0x85ebca6b) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35);
    two = Math.imul(two ^ (two >>> 16), 0x27d4eb2f) ^ one;
    code += letters[(one >>> 0) % letters.length];
  }
  return code;
}
