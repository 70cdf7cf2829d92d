// A model can send anything: lone surrogates do not survive UTF-8 and NUL does not survive every database.
const loneSurrogate = /\p{Surrogate}/gu;
const nul = /\0/g;

/** The text with what cannot be stored faithfully taken out, so that what is digested is what is read back. */
export function cleanText(text: string): string {
  return text.replace(loneSurrogate, "\uFFFD").replace(nul, "");
}

/** Length as people count it for limits; does not build an array, so ten megabytes cost nothing. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isTrailing = unit >= 0xdc00 && unit <= 0xdfff;
    const before = at === 0 ? 0 : text.charCodeAt(at - 1);
    if (!(isTrailing && before >= 0xd800 && before <= 0xdbff)) {
      count += 1;
    }
  }
  return count;
}

const invisible = /[\s\p{Cf}\p{Cc}\u115f\u1160\u3164\uffa0\u2800]/u;

/** True when nothing in the text can be seen: white space, controls, zero-width and filler characters. */
export function isBlank(text: string): boolean {
  for (const character of text) {
    if (!invisible.test(character)) {
      return false;
    }
  }
  return true;
}
