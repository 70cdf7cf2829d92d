import { standingsToJson } from "../../contract/http/standings.ts";
import type { Standing } from "../../domain/evidence/standing.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Project } from "../../wiring/project/project.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { type JsonFlags, printResult, rootOf } from "../shell/print.ts";
import { withProject } from "../shell/with-project.ts";
import { standingLines } from "./render-standings.ts";

/** Derives the wanted acceptances of one kind from their evidence; what cannot be read is refused, never left out. */
type Verify = (
  cli: CliContext,
  project: Project,
  isWanted: (name: string) => boolean,
  isNamed: boolean,
) => Promise<readonly Standing[]>;

/** Each loads its feature only when it is asked. */
const verifiers: { readonly [kind in Standing["kind"]]: Verify } = {
  draft: async (_, ...of) =>
    (await import("../../wiring/features/verify-drafts.ts")).verifyDrafts(...of),
  "episode-text": async (cli, project, isWanted) =>
    (await import("../../wiring/features/episode-reading.ts")).verifyEpisodes(
      project,
      cli,
      isWanted,
    ),
  note: async (cli, project, isWanted) =>
    (await import("../notes/verify-notes-action.ts")).verifyNotesOf(cli, project, isWanted),
  "pack-run": async (cli, project, isWanted) =>
    (await import("../packs/verify-pack-runs.ts")).verifyPackRuns(cli, project, isWanted),
  stage: async (cli, project, isWanted) =>
    (await import("../stages/verify-stages.ts")).verifyStages(cli, project, isWanted),
};

/** Exits with 2 where nothing was found: a check of nothing must not look like a success. */
export async function verifyAcceptances(
  cli: CliContext,
  what: string | undefined,
  flags: JsonFlags,
): Promise<void> {
  const root = rootOf(cli);
  const { kind, name } = askedFor(what);
  const isAll = name === undefined;
  const isWanted = (one: string) => isAll || isMeant(one, name) || name.startsWith(`${one} `);
  const standings = await withProject(
    cli,
    { root, flags, runsNothing: true },
    async ({ project }) => {
      const verified = async (isOne: (one: string) => boolean) => {
        const found: Standing[] = [];
        for (const [of, verify] of Object.entries(verifiers))
          if (kind === undefined || of === kind)
            found.push(...(await verify(cli, project, isOne, !isAll)));
        return found;
      };
      const found = await verified(isWanted);
      const meant = isAll ? found : found.filter((one) => isMeant(one.name, name));
      if (meant.length > 0) return meant;
      throw nothingFound(what, isAll ? [] : await verified(() => true));
    },
  );
  const isAccepted = standings.every(({ accepted }) => accepted);
  cli.end(isAccepted ? exitCode.accepted : exitCode.notAccepted);
  printResult(
    cli,
    flags,
    standingsToJson({ standings }),
    standingLines(standings, what !== undefined),
  );
}

/** A kind, a name, or a kind and a name. */
function askedFor(what = ""): { readonly kind?: string; readonly name?: string } {
  const [first = "", ...rest] = what.split(" ");
  const isKind = Object.hasOwn(verifiers, first);
  const name = isKind ? rest.join(" ") : what;
  return { ...(isKind && { kind: first }), ...(name !== "" && { name }) };
}

/** A name, or the start of one; of a run's id at least as much as lists show. */
function isMeant(name: string, what: string): boolean {
  return (
    name === what || name.startsWith(`${what} `) || (isStartOfId(what) && name.startsWith(what))
  );
}

/** Runs are listed by the first characters of their ids. */
function isStartOfId(what: string): boolean {
  return /^[0-9a-f][0-9a-f-]{7,}$/u.test(what);
}

function nothingFound(what: string | undefined, all: readonly Standing[]): Error {
  const names = all.slice(0, 5).map(({ name }) => name);
  const { kind } = askedFor(what);
  const message =
    names.length > 0
      ? `Nothing here is called "${what}".`
      : `There is nothing to verify here${kind === undefined ? "" : ` of the kind ${kind}`}.`;
  const hint =
    names.length > 0
      ? `Some names are: ${names.join(", ")}. "signoff verify" lists all.`
      : "Run it in the project's folder, after a draft, review, pack or stage.";
  return new ConfigurationError(message, { code: "not-found", hint });
}
