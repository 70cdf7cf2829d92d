import { hash } from "node:crypto";
import { WorkflowError } from "../../../src/index.ts";
import type { Repos, RunRecord } from "../../../src/testing/index.ts";
import { ledgersIn } from "./ledgers.ts";
import { reviewsIn } from "./reviews.ts";
import { by, copy, familyOf, type RunRow, type Tables } from "./tables.ts";

export function reposIn(tables: Tables): Repos {
  return {
    runs: runListIn(tables),
    ...ledgersIn(tables),
    inbox: inboxIn(tables),
    rulings: {
      append: async (ruling) => {
        const number = tables.rulings.filter(({ run }) => run === ruling.run).length + 1;
        tables.rulings.push(copy({ ...ruling, number }));
        outdate(tables, ruling.run);
        return { ...ruling, number };
      },
      of: async (run) => copy(tables.rulings.filter((one) => one.run === run)),
    },
    removal: removalIn(tables),
    stages: stagesIn(tables),
    people: peopleIn(tables),
    reviews: reviewsIn(tables),
  };
}

const open = ["queued", "running", "waiting"];

function outdate({ runs }: Tables, run: string): void {
  for (const row of runs) if (row.record.run === run) row.isListed = false;
}

function runListIn(tables: Tables): Repos["runs"] {
  return {
    spentBy: async (run) => {
      const family = familyOf(tables, run);
      const spent = { microUsd: 0, tokens: 0, seconds: 0 };
      for (const { run: one, state, held } of tables.attempts) {
        if (state === "started" || !family.has(one)) continue;
        spent.microUsd += held.microUsd;
        spent.tokens += held.tokens;
        spent.seconds += held.seconds;
      }
      return spent;
    },
    beginningWith: async (prefix, limit) =>
      tables.runs
        .map(({ record }) => record.run)
        .filter((run) => run.startsWith(prefix))
        .sort()
        .slice(0, limit),
    list: async (page) =>
      newestFirst(tables.runs.filter((row) => isOnPage(tables, row, page)))
        .slice(0, page.limit)
        .map(({ record }) => summaryOf(record)),
    lineAfter: async (after, n) => {
      const lined = tables.runs.filter(({ line }) => line !== undefined);
      const page = { limit: n, ...(after === undefined ? {} : { after }) };
      return newestFirst(lined.filter((row) => isOnPage(tables, row, page)))[n - 1]?.record.job
        .createdAt;
    },
    updateLines: async (limit, lineOf) => {
      const outdated = tables.runs.filter(({ isListed }) => !isListed).slice(0, limit);
      for (const row of outdated) {
        const { run } = row.record;
        const rulings = tables.rulings.filter((one) => one.run === run);
        const isUnsigned = tables.unsigned.some((one) => one.run === run);
        row.line = lineOf(copy({ record: row.record, rulings, isUnsigned }));
        row.isListed = true;
      }
      return outdated.length;
    },
  };
}

function newestFirst(rows: readonly RunRow[]): readonly RunRow[] {
  return [...rows]
    .sort(
      by(
        ({ record }) => record.job.createdAt,
        ({ record }) => record.run,
      ),
    )
    .reverse();
}

function summaryOf({ run, job, state, parent, holder, cancelReason, updatedAt }: RunRecord) {
  const { kind, createdAt } = job;
  return copy({
    ...{ run, kind, state, createdAt, updatedAt },
    ...(parent === undefined ? {} : { parent }),
    ...(holder === undefined ? {} : { holder }),
    ...(cancelReason === undefined ? {} : { cancelReason }),
  });
}

function isOnPage(
  tables: Tables,
  { record, line }: RunRow,
  page: Parameters<Repos["runs"]["list"]>[0],
): boolean {
  const { after, state, kind, topOnly, since, words = [], minMicroUsd = 0, outcome } = page;
  const { run, job, parent } = record;
  const isSearch = words.length > 0 || minMicroUsd > 0 || outcome !== undefined;
  const text = `${line?.title ?? ""} ${job.kind} ${run}`.toLowerCase();
  const spent = () =>
    tables.attempts
      .filter((one) => familyOf(tables, run).has(one.run))
      .reduce((sum, { microUsd = 0 }) => sum + microUsd, 0);
  return (
    (after === undefined ||
      by<typeof after>(
        ({ createdAt }) => createdAt,
        (one) => one.run,
      )({ createdAt: job.createdAt, run }, after) < 0) &&
    (state === undefined || record.state === state) &&
    (kind === undefined || job.kind === kind) &&
    (topOnly !== true || parent === undefined) &&
    (since === undefined || job.createdAt >= since) &&
    (!isSearch || line !== undefined) &&
    words.every((word) => text.includes(word.toLowerCase())) &&
    (minMicroUsd === 0 || spent() >= minMicroUsd) &&
    (outcome === undefined || line?.outcome === outcome)
  );
}

function inboxIn(tables: Tables): Repos["inbox"] {
  const stateOf = (run: string) =>
    tables.runs.find(({ record }) => record.run === run)?.record.state ?? "finished";
  const questions = () =>
    tables.decisions.filter(
      ({ run, answer }) =>
        answer === undefined && !["finished", "cancelled"].includes(stateOf(run)),
    );
  const loops = () => {
    const kept = new Set<string>(tables.runs.map(({ record }) => record.run));
    return tables.unsigned.filter(({ run }) => kept.has(run) && stateOf(run) === "finished");
  };
  type Place = { readonly since: string; readonly id: string };
  const order = by<Place>(
    ({ since }) => since,
    ({ id }) => id,
  );
  const page = <T>(
    rows: readonly T[],
    place: (row: T) => Place,
    { limit, after }: { readonly limit: number; readonly after?: Place },
  ) =>
    copy(
      rows
        .filter((row) => after === undefined || order(place(row), after) > 0)
        .sort((a, b) => order(place(a), place(b)))
        .slice(0, limit),
    );
  return {
    open: async (asked) => page(questions(), ({ askedAt, id }) => ({ since: askedAt, id }), asked),
    unsigned: async (asked) => page(loops(), ({ since, run }) => ({ since, id: run }), asked),
    count: async () => questions().length + loops().length,
    keepUnsigned: async (loop) => {
      if (!tables.unsigned.some(({ run }) => run === loop.run)) tables.unsigned.push({ ...loop });
      outdate(tables, loop.run);
    },
    settle: async (run) => {
      tables.unsigned = tables.unsigned.filter((one) => one.run !== run);
      outdate(tables, run);
    },
    isUnsigned: async (run) => tables.unsigned.some((one) => one.run === run),
    of: async (run) => copy(tables.decisions.filter((one) => one.run === run)),
  };
}

function removalIn(tables: Tables): Repos["removal"] {
  const refused = (code: string, run: string) => new WorkflowError(`${run}: ${code}`, { code });
  const isOver = (run: string) =>
    tables.runs.every(({ record }) => record.top !== run || !open.includes(record.state));
  const ended = (before: string) =>
    tables.runs
      .map(({ record }) => record)
      .filter((one) => one.parent === undefined && one.updatedAt < before && isOver(one.run))
      .sort(
        by(
          ({ updatedAt }) => updatedAt,
          ({ run }) => run,
        ),
      );
  const drop = (top: string) => {
    const gone = familyOf(tables, top);
    const isKept = ({ run }: { readonly run: string }) => !gone.has(run);
    tables.runs = tables.runs.filter(({ record }) => isKept(record));
    tables.calls = tables.calls.filter(isKept);
    tables.attempts = tables.attempts.filter(isKept);
    tables.events = tables.events.filter(isKept);
    tables.unsigned = tables.unsigned.filter(isKept);
  };
  return {
    endedBefore: async (before, limit) =>
      ended(before)
        .slice(0, limit)
        .map(({ run }) => run),
    remove: async (run) => {
      const record = tables.runs.find((row) => row.record.run === run)?.record;
      if (record === undefined) throw refused("run-unknown", run);
      if (record.top !== run) throw refused("run-is-child", run);
      if (!isOver(run)) throw refused("run-not-over", run);
      drop(run);
    },
    removeEnded: async (run, before) => {
      const isEnded = ended(before).some((one) => one.run === run);
      if (isEnded) drop(run);
      return isEnded;
    },
    removeUnnamedTexts: async () => 0,
  };
}

function stagesIn(tables: Tables): Repos["stages"] {
  const below = (kind: string, folder: string) =>
    tables.runs
      .map(({ record }) => record)
      .filter(({ job }) => job.kind === kind && job.id.startsWith(`${kind}/${folder}/`))
      .sort(
        by(
          ({ job }) => job.createdAt,
          ({ run }) => run,
        ),
      );
  const digestOf = (value: unknown) => hash("sha256", JSON.stringify(value));
  return {
    folders: async () => tables.stages.map(({ folder }) => folder).sort(),
    countEntries: async () => tables.stages.reduce((sum, { entries }) => sum + entries.length, 0),
    load: async (folder) => {
      const stage = tables.stages.find((one) => one.folder === folder);
      return stage && copy({ facts: stage.facts, entries: stage.entries });
    },
    record: async (folder, { facts, entries }) => {
      const before = tables.stages.find((one) => one.folder === folder);
      const others = tables.stages.filter((one) => one !== before);
      const all = [...(before?.entries ?? []), ...entries];
      tables.stages = [...others, copy({ folder, facts, entries: all })];
    },
    runsBelow: async (kind, folder) => below(kind, folder).map(({ run }) => run),
    digests: async (folder) => {
      const entries = tables.stages.find((one) => one.folder === folder)?.entries ?? [];
      const digests = entries.map((entry, at) => [`store: entry ${at + 1}`, digestOf(entry)]);
      for (const record of below("pack-loop", folder)) {
        if (record.state === "running" || record.state === "queued") continue;
        const family = familyOf(tables, record.run);
        const isOurs = ({ run }: { readonly run: string }) => family.has(run);
        const left = [
          ...tables.runs.map((row) => row.record).filter(isOurs),
          ...tables.calls.filter(isOurs),
          ...tables.events.filter(isOurs),
        ];
        digests.push([`store: run ${record.run}`, digestOf(left)]);
      }
      return Object.fromEntries(digests);
    },
  };
}

function peopleIn(tables: Tables): Repos["people"] {
  const person = (row: Tables["people"][number] | undefined) => {
    if (row === undefined) return undefined;
    const { token: _, ...rest } = row;
    return rest;
  };
  const byToken = (token: string) => person(tables.people.find((one) => one.token === token));
  return {
    add: async (added, token) => {
      if (tables.people.some(({ name }) => name === added.name)) return false;
      tables.people.push({ ...added, token });
      return true;
    },
    remove: async (name) => {
      const row = tables.people.find((one) => one.name === name);
      tables.people = tables.people.filter((one) => one !== row);
      tables.sessions = tables.sessions.filter(({ tokenDigest }) => tokenDigest !== row?.token);
      tables.attention = tables.attention.filter((one) => one.name !== name);
      return row !== undefined;
    },
    list: async () =>
      tables.people.map(({ token: _, ...rest }) => rest).sort(by(({ name }) => name)),
    byToken: async (token) => byToken(token),
    openSession: async (session) => {
      const { now } = session;
      tables.sessions = tables.sessions.filter(({ expiresAt }) => expiresAt > now);
      tables.sessions.push({ ...session });
    },
    bySession: async (digest, now) => {
      const session = tables.sessions.find((one) => one.digest === digest && one.expiresAt > now);
      return session && byToken(session.tokenDigest);
    },
    closeSession: async (digest) => {
      tables.sessions = tables.sessions.filter((one) => one.digest !== digest);
    },
    attend: async (work) => {
      const others = tables.attention.filter(
        ({ item, name }) => item !== work.item || name !== work.name,
      );
      tables.attention = [...others, { ...work }];
    },
    leave: async ({ item, name }) => {
      tables.attention = tables.attention.filter((one) => one.item !== item || one.name !== name);
    },
    atWork: async (now) =>
      tables.attention
        .filter(({ until }) => until > now)
        .map(({ item, name }) => ({ item, name }))
        .sort(
          by(
            ({ item }) => item,
            ({ name }) => name,
          ),
        ),
  };
}
