import { isObject, type Json } from "../../../domain/values/json.ts";

/**
 * The providers' packages refuse a whole reply if one of its figures has another type than they expect. Such a figure
 * becomes -1 before they see it, which `readUsage` takes for unknown: the reply is paid for, whatever is said about it.
 */
export function checkedUsage(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** The line that has begun, in parts: a line may be as long as the reply. */
  let begun: string[] = [];
  return new TransformStream({
    transform(chunk, controller) {
      const text = decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf("\n");
      if (end < 0) {
        begun.push(text);
        return;
      }
      const lines = [...begun, text.slice(0, end)].join("").split("\n");
      begun = [text.slice(end + 1)];
      controller.enqueue(encoder.encode(`${lines.map(checked).join("\n")}\n`));
    },
    flush(controller) {
      controller.enqueue(encoder.encode(checked(`${begun.join("")}${decoder.decode()}`)));
    },
  });
}

function checked(line: string): string {
  if (!/"usage(?:Metadata)?"\s*:\s*[^\sn]/u.test(line) || !line.startsWith("data:")) return line;
  try {
    return `data: ${JSON.stringify(inside(JSON.parse(line.slice("data:".length)) as Json))}`;
  } catch {
    return line;
  }
}

/** At the top in the formats of OpenAI and Gemini, inside an object in those of Anthropic, Groq and Responses. */
const around = /^(?:message|response|x_groq)$/u;

function inside(value: Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (/^usage(?:Metadata)?$/u.test(name)) {
        return [name, isObject(member) ? figures(member) : null];
      }
      return [name, around.test(name) ? inside(member) : member];
    }),
  );
}

/** Without these the packages report 0; the other counts may be missing. */
const totals =
  /^(?:(?:prompt|completion|input|output)_tokens|(?:prompt|candidates)TokenCount|(?:input|output)Tokens)$/u;

/** The same of Bedrock's binary frames: one that names implausible figures is left out. */
export function checkedFrames(): TransformStream<Uint8Array, Uint8Array> {
  let rest = Buffer.alloc(0);
  return new TransformStream({
    transform(chunk, controller) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 12 && rest.length >= rest.readUInt32BE(0)) {
        const length = Math.max(rest.readUInt32BE(0), 12);
        const frame = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (hasPlausibleFigures(frame)) controller.enqueue(frame);
      }
    },
    flush: (controller) => controller.enqueue(rest),
  });
}

/** A frame is its length, the length of its headers, a check sum, headers, JSON and a check sum. */
function hasPlausibleFigures(frame: Buffer): boolean {
  const body = frame.subarray(12 + frame.readUInt32BE(4), -4).toString();
  if (!body.includes('"usage"')) return true;
  try {
    const value = JSON.parse(body) as Json;
    return JSON.stringify(inside(value)) === JSON.stringify(value);
  } catch {
    return true;
  }
}

function figures(usage: { readonly [name: string]: Json }): Json {
  return Object.fromEntries(
    Object.entries(usage).map(([name, member]) => {
      const isCount = totals.test(name) || (/tokens$|TokenCount$/iu.test(name) && member !== null);
      if (isCount) return [name, Number.isSafeInteger(member) ? member : -1];
      return [name, isObject(member) ? figures(member) : member];
    }),
  );
}
