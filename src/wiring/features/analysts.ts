import { modelUse } from "../../domain/settings/choose-models.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { LoopRequest } from "../../orchestration/scenarios/run-loop.ts";

/** The analysts of a loop: `analystModel` alone, or those that the settings name, each with this model or its own. */
export function analystsOf(
  { scenarios, aliases }: Settings,
  analystModel: string,
): Pick<LoopRequest, "analystModel" | "analysts" | "standIn"> {
  const standIn = analystModel.startsWith("offline/");
  const named = Object.entries(scenarios.analysts ?? {});
  if (named.length === 0) return { analystModel, standIn };
  const members = named.map(([name, { model, criteria }]) => ({
    name,
    model: model === undefined ? analystModel : modelUse(model, "default", aliases).model,
    ...defined({ criteria }),
  }));
  const analysts = { rule: scenarios.analystRule ?? "all", members };
  return { analystModel, standIn, analysts };
}
