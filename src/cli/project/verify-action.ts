import { standingsToJson } from "../../contract/http/standings.ts";
import type { Standing } from "../../domain/evidence/standing.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Project } from "../../wiring/project/project.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { type JsonFlags, printResult, rootOf } from "../shell/print.ts";
import { withProject } from "../shell/with-project.ts";
import { standingLines } from "./render-standings.ts";

/** Derives every acceptance of one feature from its evidence, without any cache. */
export type Verify = (cli: CliContext, project: Project) => Promise<readonly Standing[]>;

/** One per kind of acceptance; each loads its feature only when it is asked. */
const verifiers: readonly Verify[] = [
  async (cli, project) =>
    (await import("../../wiring/features/episode-reading.ts")).verifyEpisodes(project, cli),
  async (...of) => (await import("../packs/verify-pack-runs.ts")).verifyPackRuns(...of),
  async (_, project) =>
    (await import("../../wiring/features/verify-drafts.ts")).verifyDrafts(project),
  async (cli, project) =>
    (await import("../notes/verify-notes-action.ts")).verifyNotesOf(cli, project),
  async (...of) => (await import("../stages/verify-stages.ts")).verifyStages(...of),
];

export async function verifyAcceptances(
  cli: CliContext,
  what: string | undefined,
  flags: JsonFlags,
): Promise<void> {
  const root = rootOf(cli);
  const all = await withProject(cli, { root, flags, runsNothing: true }, async ({ project }) => {
    const found: Standing[] = [];
    for (const verify of verifiers) found.push(...(await verify(cli, project)));
    return found;
  });
  const standings = what === undefined ? all : all.filter((standing) => isMeant(standing, what));
  if (what !== undefined && standings.length === 0) throw nothingNamed(what, all);
  const isAccepted = standings.every(({ accepted }) => accepted);
  cli.end(isAccepted ? exitCode.accepted : exitCode.notAccepted);
  printResult(
    cli,
    flags,
    standingsToJson({ standings }),
    standingLines(standings, what !== undefined),
  );
}

/** A kind ("stage"), a name, or the start of one; of a run's id at least as much as lists show. */
function isMeant({ kind, name }: Standing, what: string): boolean {
  return (
    kind === what ||
    name === what ||
    name.startsWith(`${what} `) ||
    `${kind} ${name}` === what ||
    (isStartOfId(what) && name.startsWith(what))
  );
}

/** Runs are listed by the first characters of their ids. */
function isStartOfId(what: string): boolean {
  return /^[0-9a-f][0-9a-f-]{7,}$/u.test(what);
}

function nothingNamed(what: string, all: readonly Standing[]): Error {
  const names = all.slice(0, 5).map(({ name }) => name);
  const hint =
    names.length === 0
      ? "Nothing in this project has been accepted or refused yet."
      : `There are for instance: ${names.join(", ")}. "signoff verify" lists all.`;
  return new ConfigurationError(`Nothing here is called "${what}".`, { code: "not-found", hint });
}
