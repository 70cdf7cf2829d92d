import { describeTrustPart } from "../../domain/settings/trust-parts.ts";
import { clockOf } from "../../wiring/system-clock.ts";
import { saveTrust } from "../../wiring/trust.ts";
import type { CliContext } from "../cli-context.ts";
import { exitCode } from "../exit-code.ts";
import { settingsFor } from "./cli-settings.ts";
import { canAsk, confirmed } from "./confirm.ts";
import { printErr, printJson, printOut, rootOf } from "./print.ts";

export interface TrustFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly manifest?: string;
}

export async function trustProject(cli: CliContext, flags: TrustFlags): Promise<void> {
  const root = rootOf(cli);
  const { settings, redactor } = await settingsFor(cli, { root, quiet: flags.json === true });
  const { trust } = settings;
  const parts = trust.parts.map((part) => redactor.text(describeTrustPart(part)));
  const isJson = flags.json === true;
  if (!isJson) showParts(cli, parts, trust.isTrusted);
  const isGiven = !trust.isTrusted && (await isYes(cli, flags));
  const { userFolder } = cli.environment;
  const at = clockOf(cli.environment).now();
  const file = isGiven ? await saveTrust({ userFolder, root }, trust, at) : undefined;
  const isTrusted = trust.isTrusted || isGiven;
  cli.end(isTrusted ? exitCode.accepted : exitCode.waiting);
  if (isJson) return printJson(cli, { trusted: isTrusted, digest: trust.digest, parts });
  if (file !== undefined) printOut(cli, [{ text: `Trusted; kept in ${file}.`, style: "good" }]);
  if (isTrusted) return;
  const text = `Not trusted. Say yes with \`signoff trust --yes\`, or in CI SIGNOFF_TRUST=${trust.digest}.`;
  printErr(cli, [{ text, style: "caution" }]);
}

function showParts(cli: CliContext, parts: readonly string[], isTrusted: boolean): void {
  if (parts.length === 0) {
    printOut(cli, [{ text: "This project's settings run no program and send no key." }]);
    return;
  }
  const head = isTrusted ? "You trust these settings:" : "This project's settings ask for:";
  printOut(cli, [{ text: head }]);
  for (const part of parts) printOut(cli, [{ text: `  ${part}`, style: "accent" }]);
}

export async function isYes(cli: CliContext, flags: TrustFlags): Promise<boolean> {
  if (flags.yes === true) return true;
  if (flags.json === true || !canAsk(cli)) return false;
  return confirmed("Let them?");
}
