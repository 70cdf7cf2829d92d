import { coderOf, coderTrust } from "../../wiring/features/stages.ts";
import { saveTrustedCoder } from "../../wiring/settings/trust.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { printErr, printJson, printOut } from "../shell/print.ts";
import { accent, caution, good } from "../shell/styles.ts";
import { stageOf } from "../stages/stage-session.ts";
import { isYes, type TrustFlags } from "./trust-action.ts";

/** Shows the coder of a stage's manifest, and stores the user's trust in exactly that program. */
export async function trustCoder(
  cli: CliContext,
  flags: TrustFlags & { readonly manifest: string },
): Promise<void> {
  const { stage, project, trustedCoders } = await stageOf(cli, { manifest: flags.manifest });
  const isJson = flags.json === true;
  if (stage.manifest.coder === undefined) {
    if (isJson) return printJson(cli, { trusted: true, parts: [] });
    return printOut(
      cli,
      "The stage's manifest names no coder; `signoff trust` shows what the settings name.",
    );
  }
  const { argv } = coderOf(stage, project.loaded.settings, {});
  const { environment } = cli;
  const trust = coderTrust({ argv }, { byFlag: false, environment, trusted: trustedCoders });
  if (!isJson) {
    printOut(cli, trust.isTrusted ? "You trust this coder:" : "The stage's coder is:");
    printOut(cli, [accent(`  ${JSON.stringify(argv)}`)]);
  }
  const isGiven = !trust.isTrusted && (await isYes(cli, flags));
  const { userFolder } = environment;
  const file = isGiven
    ? await saveTrustedCoder({ userFolder, root: project.root }, trust)
    : undefined;
  const isTrusted = trust.isTrusted || isGiven;
  cli.end(isTrusted ? exitCode.accepted : exitCode.waiting);
  if (isJson) {
    return printJson(cli, { trusted: isTrusted, digest: trust.digest, parts: [[...argv]] });
  }
  if (file !== undefined) printOut(cli, [good(`Trusted; stored in ${file}.`)]);
  if (isTrusted) return;
  const text = `Not trusted. Trust with --yes, or in CI with SIGNOFF_TRUST=${trust.digest}.`;
  printErr(cli, [caution(text)]);
}
