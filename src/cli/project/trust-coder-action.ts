import { coderOf, coderTrust } from "../../wiring/features/stages.ts";
import { saveTrustedCoder } from "../../wiring/settings/trust.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { printJson, printResult } from "../shell/print.ts";
import { stageOf } from "../stages/stage-session.ts";
import { settleTrust, type TrustFlags } from "./trust-action.ts";

/** Shows the coder of a stage's manifest, and stores the user's trust in exactly that program. */
export async function trustCoder(
  cli: CliContext,
  flags: TrustFlags & { readonly manifest: string },
): Promise<void> {
  const { stage, project, trustedCoders } = await stageOf(cli, { manifest: flags.manifest });
  if (stage.manifest.coder === undefined) {
    const text =
      "The stage's manifest names no coder; `signoff trust` shows the one of the settings.";
    return printResult(cli, flags, { trusted: true, parts: [] }, text);
  }
  const { argv } = coderOf(stage, project.loaded.settings, {});
  const { environment } = cli;
  const trust = coderTrust({ argv }, { byFlag: false, environment, trusted: trustedCoders });
  const { userFolder } = environment;
  const trusted = await settleTrust(cli, flags, [
    {
      heading: trust.isTrusted ? "You trust this coder:" : "The stage's coder is:",
      parts: [JSON.stringify(argv)],
      trust,
      save: () => saveTrustedCoder({ userFolder, root: project.root }, trust),
    },
  ]);
  if (flags.json === true) {
    printJson(cli, { trusted, digest: trust.digest, parts: [[...argv]] });
  }
}
