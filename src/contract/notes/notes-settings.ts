import { parseDocument } from "yaml";
import { z } from "zod";
import { defaultNotesSettings, type NotesSettings } from "../../domain/gates/notes-settings.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { nearestName } from "../files/nearest-name.ts";

const inProject = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith("/") && !path.split("/").includes(".."), {
    error: "must be a path inside the project",
  });

const notesShape = z.strictObject({
  roots: z.array(inProject).min(1).optional(),
  exclude: z.array(z.string().min(1)).optional(),
  gates: inProject.optional(),
  models: z.array(z.string().min(1)).min(1).optional(),
  lock: inProject.optional(),
  exports: inProject.optional(),
  allow_offline: z.boolean().optional(),
});

const modelsShape = z.looseObject({
  judge: z.string().min(1).optional(),
  aliases: z.record(z.string(), z.string()).optional(),
  partitions: z.record(z.string(), z.string()).optional(),
});

const fileShape = z.looseObject({ notes: notesShape.nullish(), models: modelsShape.nullish() });

/** The part of `signoff.yaml` that reviewing notes reads; a mistake in it names the field and changes nothing. */
export function parseNotesSettings(text: string, file: string): NotesSettings {
  const document = parseDocument(text, { prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) throw invalid(file, broken.message);
  const read = fileShape.safeParse(document.toJS() ?? {});
  if (!read.success) throw invalid(file, read.error.issues.map(explain).join("; "));
  const { notes, models } = read.data;
  const named = models as { readonly [role: string]: unknown } | null | undefined;
  const asked = notes?.models ?? ["judge"];
  return {
    roots: (notes?.roots ?? defaultNotesSettings.roots).map(plainFolder),
    exclude: notes?.exclude ?? [],
    gates: plainFolder(notes?.gates ?? defaultNotesSettings.gates),
    models: asked.map((name) => modelOf(name, named)),
    lock: notes?.lock ?? defaultNotesSettings.lock,
    exports: plainFolder(notes?.exports ?? defaultNotesSettings.exports),
    allowOffline: notes?.allow_offline ?? false,
    aliases: { ...models?.aliases, ...models?.partitions },
  };
}

/** The name of a role stands for the role's model; anything else is a model. */
function modelOf(name: string, models: { readonly [role: string]: unknown } | null | undefined) {
  const model = models?.[name];
  if (typeof model === "string") return model;
  const isRole = ["writer", "reviewer", "judge", "analyst"].includes(name);
  return isRole ? (defaultNotesSettings.models[0] ?? name) : name;
}

function plainFolder(path: string): string {
  return path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "") || ".";
}

function explain(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return `${path}: ${issue.message}`;
  return issue.keys
    .map((key) => {
      const near = nearestName(key, Object.keys(notesShape.shape));
      return `unknown key ${path}.${key}${near === undefined ? "" : ` (did you mean ${near}?)`}`;
    })
    .join("; ");
}

function invalid(file: string, problem: string): ConfigurationError {
  return new ConfigurationError(`${file}: ${problem}`, {
    code: "settings-invalid",
    facts: { file },
  });
}
