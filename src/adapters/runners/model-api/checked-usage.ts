import { isObject, type Json } from "../../../domain/values/json.ts";

/**
 * The providers' packages refuse a whole reply if one of its figures has another type than they expect. Such a figure
 * becomes -1 before they see it, which `readUsage` takes for unknown: the reply is paid for, whatever is said about it.
 */
export function checkedUsage(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (lines.length > 0)
        controller.enqueue(encoder.encode(`${lines.map(checked).join("\n")}\n`));
    },
    flush(controller) {
      controller.enqueue(encoder.encode(checked(rest + decoder.decode())));
    },
  });
}

function checked(line: string): string {
  if (!/"usage"\s*:\s*[^\sn]/u.test(line) || !line.startsWith("data:")) return line;
  try {
    return `data: ${JSON.stringify(inside(JSON.parse(line.slice("data:".length)) as Json))}`;
  } catch {
    return line;
  }
}

/** `usage` is at the top in OpenAI's format, and inside `message` in Anthropic's. */
function inside(value: Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === "usage") return [name, isObject(member) ? figures(member) : null];
      return [name, name === "message" ? inside(member) : member];
    }),
  );
}

/** Without these the packages report 0; the other counts may be missing. */
const totals = /^(?:prompt|completion|input|output)_tokens$/u;

function figures(usage: { readonly [name: string]: Json }): Json {
  return Object.fromEntries(
    Object.entries(usage).map(([name, member]) => {
      const isCount = totals.test(name) || (/tokens$/u.test(name) && member !== null);
      if (isCount) return [name, Number.isSafeInteger(member) ? member : -1];
      return [name, isObject(member) ? figures(member) : member];
    }),
  );
}
