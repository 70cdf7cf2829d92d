import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../domain/values/json.ts";

/** What an agent printed as JSON: one object, a list of them, or one a line. Absent if anything else is among them. */
export function readEvents(stdout: string): readonly JsonObject[] | undefined {
  const whole = parseJson(stdout);
  const lines = stdout.split("\n").filter((line) => line.trim() !== "");
  const events = whole === undefined ? lines.map(parseJson) : isArray(whole) ? whole : [whole];
  return events.every(isEvent) ? events : undefined;
}

function isEvent(value: Json | undefined): value is JsonObject {
  return isObject(value);
}
