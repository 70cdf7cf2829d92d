/**
 * The paragraphs of a markdown text that holds nothing else, told without a parser: parsers are dear to load, and most
 * texts of an episode are plain. Undefined in doubt.
 */
export function proseParagraphs(markdown: string): readonly string[] | undefined {
  if (marks.test(markdown)) return undefined;
  if (!markdown.split("\n").every((line) => line === "" || proseLine.test(line))) return undefined;
  return markdown
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

/** What may mean something in the middle of a line, bare addresses included. */
const marks = /[^\n -\ufefe]|[\\`*_[\]<>&~|@]|:\/\/|www\./i;
/** Begins as no block does (a list, a heading, a rule, a table's second line) and ends in no line break. */
const proseLine = /^(?!\s|\d+[.)](?: |$))["'(\w\u00a1-\ufefe](?:.*\S)?$/;
