// A model can send anything: lone surrogates do not survive UTF-8 and NUL does not survive every database.
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const nul = /\0/g;

/** The text with what cannot be stored faithfully taken out, so that what is digested is what is read back. */
export function cleanText(text: string): string {
  return text.replace(loneSurrogate, "\uFFFD").replace(nul, "");
}

const invisible = /[\s\p{Cf}\p{Cc}\u115f\u1160\u3164\uffa0\u2800]/u;

/** True when nothing in the text can be seen: white space, controls, zero-width and filler characters. */
export function isBlank(text: string): boolean {
  for (const character of text) {
    if (!invisible.test(character)) return false;
  }
  return true;
}
