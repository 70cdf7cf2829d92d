/** A text file ends with the end of a line. */
export function withFinalNewline(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
