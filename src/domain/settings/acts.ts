import { escapePattern } from "../values/escape-pattern.ts";
import type { Json } from "../values/json.ts";
import { ConfigurationError } from "../values/workflow-error.ts";

/** What a run may do on the user's behalf only after the user agreed to exactly this, for this project. */
export type Act =
  /** Start a program. `{prompt_file}` in a word of an agreed argv stands for the path of a prompt. */
  | { readonly kind: "program"; readonly argv: readonly string[]; readonly folder: string }
  /** Send the value of a variable to an address. */
  | { readonly kind: "secret"; readonly address: string; readonly variable: string }
  /** Write files into a folder outside the project, or below it. */
  | { readonly kind: "folder"; readonly path: string };

/** Throws `ConfigurationError` (`trust-needed`) unless the user agreed. Every adapter that acts asks it first. */
export type Guard = (act: Act) => void;

/** For work that has no settings and therefore nothing the user could have agreed to. */
export const refuseAll: Guard = (act) => {
  throw new ConfigurationError(`This would ${describeAct(act)}; nothing allows it.`, {
    code: "trust-needed",
    facts: { act: { ...act } },
  });
};

/** Whether the user's agreement to one act covers another. */
export function covers(agreed: Act, act: Act): boolean {
  switch (act.kind) {
    case "program":
      return agreed.kind === "program" && agreed.folder === act.folder && isFrom(agreed, act);
    case "secret":
      return (
        agreed.kind === "secret" &&
        agreed.variable === act.variable &&
        agreed.address === act.address
      );
    case "folder":
      return agreed.kind === "folder" && `${act.path}/`.startsWith(`${agreed.path}/`);
  }
}

/** An act that was stored as JSON, if it is one. */
export function readAct(stored: Json): Act | undefined {
  const { kind, argv, folder, address, variable, path } = (stored ?? {}) as {
    readonly [name: string]: Json | undefined;
  };
  const isText = (value: Json | undefined): value is string => typeof value === "string";
  if (kind === "program" && Array.isArray(argv) && argv.every(isText) && isText(folder)) {
    return { kind, argv, folder };
  }
  if (kind === "secret" && isText(address) && isText(variable)) return { kind, address, variable };
  return kind === "folder" && isText(path) ? { kind, path } : undefined;
}

export function describeAct(act: Act): string {
  switch (act.kind) {
    case "program":
      return `start ${JSON.stringify(act.argv)} in ${act.folder}`;
    case "secret":
      return `send the value of ${act.variable} to ${act.address}`;
    case "folder":
      return `write files to ${act.path}, outside the project`;
  }
}

type Program = Extract<Act, { kind: "program" }>;

function isFrom({ argv: template }: Program, { argv }: Program): boolean {
  return template.length === argv.length && template.every((word, at) => fits(word, argv[at]));
}

function fits(template: string, word: string | undefined): boolean {
  if (word === undefined || !template.includes("{prompt_file}")) return template === word;
  const around = template.split("{prompt_file}").map(escapePattern);
  return new RegExp(`^${around.join("(?!-)[^\\0\\r\\n]*\\.md")}$`, "u").test(word);
}
