import type { Repos } from "../../../src/testing/index.ts";
import { by, copy, type ReviewRun, type Tables } from "./tables.ts";

type Reviews = Repos["reviews"];
type DatedNote = Parameters<Parameters<Reviews["acceptances"]["datedByNote"]>[0]>[0];
type Versions = Parameters<Reviews["runGates"]["claimedBy"]>[0];

export function reviewsIn(tables: Tables): Reviews {
  return {
    runs: reviewRunsIn(tables),
    runGates: pairsIn(tables),
    gateReviews: gateReviewsIn(tables),
    acceptances: acceptancesIn(tables),
    dismissals: {
      append: async (dismissal) => void tables.dismissals.push(copy(dismissal)),
      all: async () => copy(tables.dismissals),
    },
    notePaths: notePathsIn(tables),
    blobs: {
      keep: async (blob, text) => {
        if (!tables.blobs.some((one) => one.blob === blob)) tables.blobs.push({ blob, text });
      },
      find: async (blobs) =>
        new Map(
          tables.blobs
            .filter(({ blob }) => blobs.includes(blob))
            .map(({ blob, text }) => [blob, text] as const),
        ),
    },
  };
}

function reviewRunsIn(tables: Tables): Reviews["runs"] {
  const shown = (row: Tables["reviewRuns"][number]): ReviewRun => {
    const { movesSeen: _, ...rest } = row;
    const run = tables.runs.find(({ record }) => record.run === row.run)?.record;
    if (row.state !== "running" || run === undefined) return copy(rest);
    if (run.state === "waiting") return copy({ ...rest, state: "waiting" });
    if (run.state !== "cancelled") return copy(rest);
    return copy({ ...rest, state: "failed", reason: run.cancelReason ?? "" });
  };
  const read = (wanted: (run: ReviewRun) => boolean) => tables.reviewRuns.map(shown).filter(wanted);
  const end = (run: string, ended: Partial<ReviewRun>) => {
    tables.reviewRuns = tables.reviewRuns.map((row) =>
      row.run === run && row.finishedAt === undefined ? copy({ ...row, ...ended }) : row,
    );
  };
  return {
    insert: async (added) => {
      const number = tables.reviewRuns.length + 1;
      const movesSeen = added.movesSeen ?? tables.moves.length;
      tables.reviewRuns.push(copy({ ...added, movesSeen, number, state: "running" }));
      return number;
    },
    find: async (run) => read((one) => one.run === run)[0],
    byNumber: async (number) => read((one) => one.number === number)[0],
    ofPlan: async (plan) => read((one) => one.plan === plan),
    open: async () => read(({ state }) => state === "running" || state === "waiting"),
    tallyOf: async (batch) => {
      const tallies = new Map<string, Awaited<ReturnType<Reviews["runs"]["tallyOf"]>>[number]>();
      for (const row of tables.reviewRuns.filter((one) => one.batch === batch)) {
        const { askedModel, answeredModel, finishedAt, reason } = row;
        const filed = reason === undefined ? "completed" : "failed";
        const outcome = finishedAt === undefined ? "open" : filed;
        const name = [askedModel, answeredModel ?? "", outcome].join("\0");
        const runs = (tallies.get(name)?.runs ?? 0) + 1;
        tallies.set(name, copy({ askedModel, answeredModel, outcome, runs } as never));
      }
      return [...tallies].sort(by(([name]) => name)).map(([, tally]) => tally);
    },
    failedOf: async (batch) => read((one) => one.batch === batch && one.reason !== undefined),
    complete: async (run, { at, ...more }) =>
      end(run, { ...more, finishedAt: at, state: "completed" }),
    fail: async (run, reason, { at, ...more }) =>
      end(run, { ...more, reason, finishedAt: at, state: "failed" }),
    rekeyModel: async (run, model) => {
      tables.reviewRuns = tables.reviewRuns.map((row) =>
        row.run === run ? { ...row, model } : row,
      );
      tables.reviews = tables.reviews.map((row) => (row.run === run ? { ...row, model } : row));
    },
  };
}

function isSame(one: Versions, other: Versions): boolean {
  const names = ["notePath", "noteBlob", "gateId", "gateBlob"] as const;
  return names.every((name) => one[name] === other[name]);
}

function pairsIn(tables: Tables): Reviews["runGates"] {
  const isUnfiled = (run: string) =>
    tables.reviewRuns.some((row) => row.run === run && row.finishedAt === undefined);
  const mark = (run: string, isClaimed: boolean) => {
    tables.pairs = tables.pairs.map((pair) => (pair.run === run ? { ...pair, isClaimed } : pair));
  };
  return {
    insertMany: async (run, pairs) => {
      for (const pair of pairs) {
        if (tables.pairs.some((one) => one.run === run && isSame(one, pair))) {
          throw new Error(`${run} has ${pair.notePath} and ${pair.gateId} already`);
        }
        tables.pairs.push(copy({ ...pair, run }));
      }
    },
    of: async (run) =>
      tables.pairs
        .filter((pair) => pair.run === run)
        .sort(by(({ ordinal }) => ordinal))
        .map(({ run: _, isClaimed: __, ...pair }) => copy(pair)),
    clear: async (run) => {
      tables.pairs = tables.pairs.filter((pair) => pair.run !== run);
    },
    unfiledNotes: async () =>
      tables.pairs
        .filter(({ run }) => isUnfiled(run))
        .map(({ notePath, noteBlob }) => ({ notePath, noteBlob })),
    claim: async (run) => mark(run, true),
    giveUp: async (run) => mark(run, false),
    hasGivenUp: async (batch) =>
      tables.pairs.some(
        ({ run, isClaimed }) =>
          isClaimed === false &&
          isUnfiled(run) &&
          tables.reviewRuns.some((row) => row.run === run && row.batch === batch),
      ),
    claimedBy: async (pair, model) =>
      tables.reviewRuns.find(
        (row) =>
          row.model === model &&
          row.finishedAt === undefined &&
          tables.pairs.some(
            (one) => one.run === row.run && one.isClaimed === true && isSame(one, pair),
          ),
      )?.run,
  };
}

function gateReviewsIn(tables: Tables): Reviews["gateReviews"] {
  type Row = Tables["reviews"][number];
  const isOfPair = (one: Row, other: Row) =>
    one.notePath === other.notePath && one.gateId === other.gateId && one.model === other.model;
  const latest = () =>
    tables.reviews.filter(
      (row) => !tables.reviews.some((later) => later.seq > row.seq && isOfPair(later, row)),
    );
  const isUndecided = ({ decision }: Row) => decision === "error" || decision === "unknown";
  return {
    insert: async (review) =>
      void tables.reviews.push(copy({ ...review, seq: tables.reviews.length + 1 })),
    ofRun: async (run) => copy(tables.reviews.filter((row) => row.run === run)),
    ofNote: async (path) => copy(tables.reviews.filter((row) => row.notePath === path)),
    ofUndecidedPairs: async () =>
      copy(
        tables.reviews.filter((row) =>
          tables.reviews.some((one) => isUndecided(one) && isOfPair(one, row)),
        ),
      ),
    latestWork: async () =>
      copy(latest().filter(({ decision }) => decision === "warn" || decision === "fail")),
    latest: async () => copy(latest()),
    lastSeq: async () => tables.reviews.length,
    isReviewedAfter: async (seq, pair, { model, askedModel }) =>
      tables.reviews.some((row) => {
        if (row.seq <= seq || !isSame(row, pair)) return false;
        if (row.model === model) return true;
        const run = tables.reviewRuns.find((one) => one.run === row.run);
        const isMember = [model, row.model].some((name) => name.startsWith("member/"));
        return run?.askedModel === askedModel && !isMember;
      }),
  };
}

function acceptancesIn(tables: Tables): Reviews["acceptances"] {
  return {
    append: async (added) =>
      void tables.acceptances.push(copy({ ...added, seq: tables.acceptances.length + 1 })),
    byNote: async (visit) => {
      for (const note of datedNotes(tables)) {
        const { times: _, ...undated } = note;
        await visit(undated);
      }
    },
    datedByNote: async (visit) => {
      for (const note of datedNotes(tables)) await visit(note);
    },
    currentOf: async (path) => {
      const rows = tables.acceptances.filter(({ notePath }) => notePath === path);
      const current = new Map(rows.map((row) => [`${row.gateId}\0${row.model}`, row]));
      return copy([...current.values()]);
    },
    ofNote: async (path) => copy(tables.acceptances.filter(({ notePath }) => notePath === path)),
    lastSeq: async () => tables.acceptances.length,
  };
}

function datedNotes({ acceptances }: Tables): readonly DatedNote[] {
  const paths = [...new Set(acceptances.map(({ notePath }) => notePath))].sort();
  return paths.map((notePath) => {
    const rows = acceptances
      .filter((row) => row.notePath === notePath)
      .sort(
        by(
          ({ gateId }) => gateId,
          ({ model }) => model,
          ({ seq }) => seq,
        ),
      );
    return {
      notePath,
      gates: rows.map(({ gateId, model, gateBlob, kind, format }) => ({
        ...{ gateId, model, gateBlob, kind, format },
      })),
      noteBlobs: rows.map(({ noteBlob }) => noteBlob),
      decisions: rows.map(({ decision }) => decision),
      times: rows.map(({ at }) => at),
    };
  });
}

function notePathsIn(tables: Tables): Reviews["notePaths"] {
  const count = (path: string) => {
    const isOurs = ({ notePath }: { readonly notePath: string }) => notePath === path;
    return {
      runGates: tables.pairs.filter(isOurs).length,
      reviews: tables.reviews.filter(isOurs).length,
      acceptances: tables.acceptances.filter(isOurs).length,
      dismissals: tables.dismissals.filter(isOurs).length,
    };
  };
  return {
    count: async (path) => count(path),
    rekey: async (oldPath, newPath) => {
      const counts = count(oldPath);
      tables.moves.push({ oldPath, newPath });
      const moved = <T extends { readonly notePath: string }>(row: T): T =>
        row.notePath === oldPath ? { ...row, notePath: newPath } : row;
      tables.pairs = tables.pairs.map((pair) =>
        pair.notePath === oldPath
          ? { ...pair, notePath: newPath, askedPath: pair.askedPath ?? oldPath }
          : pair,
      );
      tables.reviews = tables.reviews.map(moved);
      tables.acceptances = tables.acceptances.map(moved);
      tables.dismissals = tables.dismissals.map(moved);
      return counts;
    },
    movesAfter: async (seq) => copy(tables.moves.slice(seq)),
    movesSince: async (run) => {
      const seen = tables.reviewRuns.find((row) => row.run === run)?.movesSeen;
      return seen === undefined ? [] : copy(tables.moves.slice(seen));
    },
    lastMove: async () => tables.moves.length,
    all: async () =>
      [
        ...new Set([...tables.acceptances, ...tables.reviews].map(({ notePath }) => notePath)),
      ].sort(),
  };
}
