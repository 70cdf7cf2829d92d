import { z } from "zod";

/** Whole numbers with the one message that says everything about them. */
export function wholeNumberBetween(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

export function numberBetween(least: number, most: number) {
  const error = `must be a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
}

export const nonEmptyText = z
  .string({ error: "must be text" })
  .min(1, { error: "must not be empty" });

export const yesOrNo = z.boolean({ error: "must be true or false" });

export const httpUrl = z.url({
  protocol: /^https?$/u,
  error: "must be a URL that begins with http:// or https://",
});

/** Where the assistant under test is: over HTTP, a WebSocket, or a program named under `commands`. */
export const assistantAddress = z
  .string({ error: "must be text" })
  .refine(
    (text) =>
      /^command:[A-Za-z0-9][A-Za-z0-9_-]*$/u.test(text) ||
      z.url({ protocol: /^(?:https?|wss?)$/u }).safeParse(text).success,
    { error: "must be a URL that begins with http, https, ws or wss, or command:NAME" },
  );

/** Never the value itself: a key pasted here by mistake has other characters and is refused unseen. */
export const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u, {
  error: "must be the name of an environment variable",
});

/** A path inside the project, even if the file was not written by its owner. */
export const pathInProject = z
  .string({ error: "must be a path" })
  .regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$/u, {
    error: "must be a path inside the project: not absolute, and without ..",
  });

export const language = z.string().regex(/^(?:auto|[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)$/u, {
  error: "must be auto or a language tag such as en or pt-BR",
});

/** Languages for which the checks of answers know the usual phrases. */
export const locale = z.enum(["en", "de", "ru"], { error: "must be en, de or ru" });

/** Business data that no artifact may hold: what matches is replaced. */
export const maskRule = z.strictObject({ pattern: nonEmptyText, replace: z.string() });

export const mustNameOne = "must name at least one";

export const repairMode = z.enum(["lead-handoff", "auto-coder"], {
  error: "must be lead-handoff or auto-coder",
});
