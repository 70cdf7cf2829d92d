import type { Repos } from "../../../../ports/repos.ts";
import type { Connection } from "../connection.ts";
import { loadEvents } from "../records.ts";
import { inboxRepo } from "./inbox.ts";
import { ledgerRepo } from "./ledger.ts";
import { removalRepo } from "./removal.ts";
import { reviewRepos } from "./reviews.ts";
import { rulingRepo } from "./rulings.ts";
import { runListRepo } from "./run-list.ts";
import { stageRepo } from "./stages.ts";
import { statsRepo } from "./stats.ts";
import { storageRepo } from "./storage.ts";

export function sqliteRepos(connection: Connection): Repos {
  return {
    runs: runListRepo(connection),
    ledger: ledgerRepo(connection),
    events: {
      after: async (run, seq, limit) => loadEvents(connection, run, { afterSeq: seq, limit }),
    },
    inbox: inboxRepo(connection),
    rulings: rulingRepo(connection),
    stats: statsRepo(connection),
    storage: storageRepo(connection),
    removal: removalRepo(connection),
    reviews: reviewRepos(connection),
    stages: stageRepo(connection),
  };
}
