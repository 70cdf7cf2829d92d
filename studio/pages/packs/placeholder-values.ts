import { parsePlaceholders } from "../../../src/domain/scenarios/placeholder.ts";

export type QuestionPart =
  | { readonly kind: "text"; readonly text: string; readonly at: number }
  | {
      readonly kind: "placeholder";
      readonly expression: string;
      /** Undefined where it had no value, or where the two texts do not tell which. */
      readonly value: string | undefined;
      readonly at: number;
    };

/**
 * The question as it was written, each placeholder with the value it was asked with. The values are what is
 * between the written words in the question as it was sent; where more than one reading fits, none is given.
 */
export function placeholderValues(
  template: string,
  resolved: string | undefined,
): readonly QuestionPart[] {
  const parsed = parsePlaceholders(template);
  if (parsed.kind === "unresolved") return [{ kind: "text", text: template, at: 0 }];
  const places = parsed.value;
  const literals = places.map(({ start }, index) =>
    template.slice(places[index - 1]?.end ?? 0, start),
  );
  const tail = template.slice(places.at(-1)?.end ?? 0);
  const values = resolved === undefined ? [] : valuesBetween(literals, tail, resolved);
  return [
    ...places.flatMap(({ expression, start }, index): readonly QuestionPart[] => [
      { kind: "text", text: literals[index] ?? "", at: start - 1 },
      { kind: "placeholder", expression, value: values[index], at: start },
    ]),
    { kind: "text" as const, text: tail, at: template.length },
  ].filter((part) => part.kind === "placeholder" || part.text !== "");
}

/** Reads from the left and from the right; only where both agree is the reading the only one. */
function valuesBetween(
  literals: readonly string[],
  tail: string,
  resolved: string,
): readonly (string | undefined)[] {
  const [head = "", ...inner] = literals;
  if (!resolved.startsWith(head) || !resolved.endsWith(tail)) return [];
  const middle = resolved.slice(head.length, resolved.length - tail.length);
  const left = splitBy(middle, inner);
  const right = splitBy(reverse(middle), [...inner].reverse().map(reverse))
    ?.map(reverse)
    .reverse();
  const agree = left?.every((value, index) => value === right?.[index]) === true;
  return agree && left !== undefined ? left : [];
}

function splitBy(text: string, literals: readonly string[]): readonly string[] | undefined {
  const values: string[] = [];
  let from = 0;
  for (const literal of literals) {
    const at = text.indexOf(literal, from);
    if (at < 0) return undefined;
    values.push(text.slice(from, at));
    from = at + literal.length;
  }
  return [...values, text.slice(from)];
}

function reverse(text: string): string {
  return [...text].reverse().join("");
}
