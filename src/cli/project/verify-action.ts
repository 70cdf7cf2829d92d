import { standingsToJson } from "../../contract/http/standings.ts";
import type { Standing } from "../../domain/evidence/standing.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Project } from "../../wiring/project/project.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { type JsonFlags, printResult, rootOf } from "../shell/print.ts";
import { withProject } from "../shell/with-project.ts";
import { standingLines } from "./render-standings.ts";

/** Derives every acceptance of one kind from its evidence; what cannot be read is refused, never left out. */
type Verify = (cli: CliContext, project: Project) => Promise<readonly Standing[]>;

/** Each loads its feature only when it is asked. */
const verifiers: { readonly [kind in Standing["kind"]]: Verify } = {
  draft: async (_, project) =>
    (await import("../../wiring/features/verify-drafts.ts")).verifyDrafts(project),
  "episode-text": async (cli, project) =>
    (await import("../../wiring/features/episode-reading.ts")).verifyEpisodes(project, cli),
  note: async (cli, project) =>
    (await import("../notes/verify-notes-action.ts")).verifyNotesOf(cli, project),
  "pack-run": async (...of) => (await import("../packs/verify-pack-runs.ts")).verifyPackRuns(...of),
  stage: async (...of) => (await import("../stages/verify-stages.ts")).verifyStages(...of),
};

/** Exits with 2 where nothing was found: a check of nothing must not look like a success. */
export async function verifyAcceptances(
  cli: CliContext,
  what: string | undefined,
  flags: JsonFlags,
): Promise<void> {
  const root = rootOf(cli);
  const wanted = Object.entries(verifiers).filter(([kind]) => !isKind(what) || kind === what);
  const all = await withProject(cli, { root, flags, runsNothing: true }, async ({ project }) => {
    const found: Standing[] = [];
    for (const [, verify] of wanted) found.push(...(await verify(cli, project)));
    return found;
  });
  const isAll = what === undefined || isKind(what);
  const standings = isAll ? all : all.filter((standing) => isMeant(standing, what));
  if (standings.length === 0) throw nothingFound(what, all);
  const isAccepted = standings.every(({ accepted }) => accepted);
  cli.end(isAccepted ? exitCode.accepted : exitCode.notAccepted);
  printResult(
    cli,
    flags,
    standingsToJson({ standings }),
    standingLines(standings, what !== undefined),
  );
}

function isKind(what: string | undefined): boolean {
  return what !== undefined && Object.hasOwn(verifiers, what);
}

/** A name, or the start of one; of a run's id at least as much as lists show. */
function isMeant({ kind, name }: Standing, what: string): boolean {
  return (
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

function nothingFound(what: string | undefined, all: readonly Standing[]): Error {
  const names = all.slice(0, 5).map(({ name }) => name);
  const message =
    names.length > 0
      ? `Nothing here is called "${what}".`
      : `There is nothing to verify here${isKind(what) ? ` of the kind ${what}` : ""}.`;
  const hint =
    names.length > 0
      ? `Some names are: ${names.join(", ")}. "signoff verify" lists all.`
      : "Run it in the project's folder, after a draft, review, pack or stage.";
  return new ConfigurationError(message, { code: "not-found", hint });
}
