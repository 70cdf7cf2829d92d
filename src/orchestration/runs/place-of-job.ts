import { needsProjectFolder, parseModelName } from "../../domain/models/model-name.ts";
import { isObject, type Json } from "../../domain/values/json.ts";
import type { Job, Place } from "../../ports/flow.ts";
import { frozenModels } from "./frozen-models.ts";

/**
 * A job of a kind that can run anywhere still belongs home if it names something that only this machine has: a program,
 * a coder, a script or an agent in the project's folder, an assistant on this host, or an address of its own for a
 * provider.
 */
export function placeOfJob(job: Pick<Job, "input" | "settings">, placeOfKind: Place): Place {
  const isHome =
    placeOfKind === "home" ||
    namesAddress(job.settings) ||
    namesCoder(job.input) ||
    asksThisHost(job.input) ||
    frozenModels(job.input).some(isModelAtHome);
  return isHome ? "home" : "anywhere";
}

/** A name that cannot be read is an error that the user should see here. */
function isModelAtHome(model: string): boolean {
  try {
    return needsProjectFolder(parseModelName(model));
  } catch {
    return true;
  }
}

function namesAddress(settings: Json): boolean {
  return isObject(settings) && settings.base_url !== undefined;
}

/** A coder changes the project's files. */
function namesCoder(input: Json): boolean {
  return isObject(input) && (input.coder !== undefined || input.repair_mode === "auto-coder");
}

/** The address of the assistant that a job asks. */
export function assistantUrlOf(input: Json): string | undefined {
  const url = isObject(input) ? input.assistant_url : undefined;
  return typeof url === "string" ? url : undefined;
}

function asksThisHost(input: Json): boolean {
  const url = assistantUrlOf(input);
  if (url === undefined) return false;
  if (!URL.canParse(url)) return true;
  const { hostname, protocol } = new URL(url);
  return (
    !/^https?:$/u.test(protocol) ||
    /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/u.test(hostname)
  );
}
