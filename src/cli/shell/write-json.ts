import { printableJson } from "../../contract/documents/json-text.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Sink } from "./screen.ts";

/** One JSON document. */
export function writeJson(sink: Sink, json: Json): void {
  sink.write(printableJson(json, 2));
}
