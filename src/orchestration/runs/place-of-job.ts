import { needsProjectFolder, parseModelName } from "../../domain/models/model-name.ts";
import { isObject, type Json } from "../../domain/values/json.ts";
import type { Job, Place } from "../../ports/flow.ts";
import { frozenModels } from "./frozen-models.ts";

/**
 * A job of a kind that can run anywhere still belongs home if it names something that only this machine has: a program,
 * a script or an agent in the project's folder, an assistant on this host, or an address of its own for a provider.
 */
export function placeOfJob(job: Pick<Job, "input" | "settings">, placeOfKind: Place): Place {
  const isHome =
    placeOfKind === "home" ||
    namesAddress(job.settings) ||
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

function asksThisHost(input: Json): boolean {
  const url = isObject(input) ? input.assistant_url : undefined;
  if (typeof url !== "string") return false;
  if (!URL.canParse(url)) return true;
  const { hostname } = new URL(url);
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/u.test(hostname);
}
