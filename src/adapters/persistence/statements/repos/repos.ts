import type { Repos } from "../../../../ports/repos.ts";
import type { Unit } from "../unit.ts";
import { inboxRepo } from "./inbox.ts";
import { ledgerRepo } from "./ledger.ts";
import { peopleRepo } from "./people.ts";
import { removalRepo } from "./removal.ts";
import { reviewRepos } from "./reviews.ts";
import { rulingRepo } from "./rulings.ts";
import { runListRepo } from "./run-list.ts";
import { stageRepo } from "./stages.ts";
import { statsRepo } from "./stats.ts";
import { storageRepo } from "./storage.ts";
import type { UnitsOf } from "./units-of.ts";

/** All repositories, for whatever runs a unit of work. */
export function promisedRepos(execute: <T>(unit: Unit<T>) => Promise<T>): Repos {
  const promised = <Repo>(units: UnitsOf<Repo>): Repo =>
    Object.fromEntries(
      Object.entries(units).map(([name, unit]) => [
        name,
        (...args: never[]) => execute((unit as (...args: never[]) => Unit<unknown>)(...args)),
      ]),
    ) as Repo;
  return {
    runs: promised(runListRepo),
    ledger: promised(ledgerRepo),
    inbox: promised(inboxRepo),
    rulings: promised(rulingRepo),
    stats: promised(statsRepo),
    storage: promised(storageRepo),
    removal: promised(removalRepo),
    reviews: {
      runs: promised(reviewRepos.runs),
      runGates: promised(reviewRepos.runGates),
      gateReviews: promised(reviewRepos.gateReviews),
      acceptances: promised(reviewRepos.acceptances),
      dismissals: promised(reviewRepos.dismissals),
      notePaths: promised(reviewRepos.notePaths),
      blobs: promised(reviewRepos.blobs),
    },
    stages: promised(stageRepo),
    people: promised(peopleRepo),
  };
}
