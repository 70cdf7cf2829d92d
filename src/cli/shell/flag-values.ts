import { InvalidArgumentError } from "commander";

/** Of a flag that may be given more than once. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** For what is kept with an act: an empty name or reason would say nothing. */
export function textFlag(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must say something.");
  return text;
}

export function wholeNumberFlag(text: string): number {
  const isNumber = /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text));
  if (!isNumber) throw new InvalidArgumentError("A whole number is needed.");
  return Number(text);
}

export function atLeastOneFlag(text: string): number {
  const number = wholeNumberFlag(text);
  if (number < 1) throw new InvalidArgumentError("A number from 1 is needed.");
  return number;
}
