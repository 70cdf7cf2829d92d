import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { startDraft } from "../../src/orchestration/drafting/start-draft.ts";
import { frozenDraft } from "../../src/wiring/features/prepare-draft.ts";
import { loadRecipe } from "../../src/wiring/features/recipes.ts";
import { openProject } from "../../src/wiring/project/project.ts";
import { databaseOf } from "../../src/wiring/project/project-id.ts";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import type { Team } from "./cluster.ts";

export interface Tally {
  readonly runs: number;
  readonly finished: number;
  /** Replies of models in the record. */
  readonly recorded: number;
  readonly replied: number;
  readonly lost: number;
  readonly failed: number;
}

const model = "ollama/shop:latest";

/**
 * Submits drafts of three calls each (a writer and two reviewers) and executes none of them. Returns the brief of each
 * run.
 */
export async function submitDrafts(
  team: Team,
  count: number,
  name = "slogan",
  reviews = 2,
): Promise<ReadonlyMap<string, string>> {
  const environment = readEnvironment({ ...team.env });
  const project = await openProject({ root: team.folder, environment });
  const recipe = await loadRecipe(name, team.folder);
  const reviewers = [
    { label: "brand", model },
    { label: "law", model },
  ].slice(0, reviews);
  const briefs = new Map<string, string>();
  try {
    let at = 0;
    const submit = async (): Promise<void> => {
      while (at < count) {
        at += 1;
        const brief = `lamp number ${at} of ${count}`;
        const input = frozenDraft({ brief, recipe, writer: model, reviewers });
        const { run } = await startDraft(project, { input, newId: randomUUID, fresh: true });
        briefs.set(run, brief);
      }
    };
    await Promise.all(Array.from({ length: 8 }, submit));
    return briefs;
  } finally {
    await project.close();
  }
}

/** Looks at the record as any database tool would; waits while the database is away. */
export async function tally(team: Team): Promise<Tally> {
  const [row] = await look<Tally>(
    team,
    `SELECT (SELECT count(*)::int FROM runs) AS runs,
       (SELECT count(*)::int FROM runs WHERE state = 'finished') AS finished,
       (SELECT count(*)::int FROM calls WHERE role IS NOT NULL) AS recorded,
       (SELECT count(*)::int FROM attempts WHERE state = 'replied') AS replied,
       (SELECT count(*)::int FROM attempts WHERE state = 'lost') AS lost,
       (SELECT count(*)::int FROM attempts WHERE state = 'failed') AS failed`,
  );
  if (row === undefined) throw new Error("the counts of the record are missing");
  return row;
}

export interface RunTally {
  readonly run: string;
  readonly state: string;
  readonly recorded: number;
  readonly lost: number;
}

/** What is recorded of each run. */
export function perRun(team: Team): Promise<readonly RunTally[]> {
  return look<RunTally>(
    team,
    `SELECT r.run, r.state,
       (SELECT count(*)::int FROM calls c WHERE c.run = r.run AND c.role IS NOT NULL) AS recorded,
       (SELECT count(*)::int FROM attempts a WHERE a.run = r.run AND a.state = 'lost') AS lost
     FROM runs r`,
  );
}

/** The rows of a statement about the team's project. */
export async function look<Row extends object>(team: Team, sql: string): Promise<readonly Row[]> {
  const environment = readEnvironment({ ...team.env });
  const { url, schema } = await databaseOf({ root: team.folder, environment });
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query(`SET search_path = "${schema}"`);
      return (await client.query<Row>(sql)).rows;
    } catch {
      await pause(200);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Resolves with the tally as soon as this many runs have finished. */
export async function untilFinished(team: Team, count: number): Promise<Tally> {
  for (;;) {
    const found = await tally(team);
    if (found.finished >= count) return found;
    await pause(150);
  }
}
