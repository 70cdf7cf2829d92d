import { setFlagsFromString } from "node:v8";

/**
 * Left alone, V8 lets garbage pile up and enlarges its space for new objects as long as many are made: memory would grow
 * with the length of the work although nothing is held.
 */
export function keepMemorySteady(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--optimize-for-size");
}
