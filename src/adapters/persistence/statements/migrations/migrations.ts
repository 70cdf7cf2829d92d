import { m0001Runs } from "./m0001-runs.ts";
import { m0002Reviews } from "./m0002-reviews.ts";
import { m0003UnsignedLoops } from "./m0003-unsigned-loops.ts";
import { m0004HeldAmounts } from "./m0004-held-amounts.ts";
import { m0005PlainReplies } from "./m0005-plain-replies.ts";
import { m0006EventsAsTheyCome } from "./m0006-events-as-they-come.ts";
import { m0007ReviewFacts } from "./m0007-review-facts.ts";
import { m0008SettingsOfRuns } from "./m0008-settings-of-runs.ts";
import { m0009Stages } from "./m0009-stages.ts";
import { m0010PlausibleFigures } from "./m0010-plausible-figures.ts";
import { m0011ClaimsAndMoves } from "./m0011-claims-and-moves.ts";
import { m0012LeaseTokens } from "./m0012-lease-tokens.ts";
import { m0013Tasks } from "./m0013-tasks.ts";
import { m0014People } from "./m0014-people.ts";
import { m0015RunLines } from "./m0015-run-lines.ts";

export interface Migration {
  readonly name: string;
  /** In SQLite's dialect; `postgresSchema` has the substitutions for PostgreSQL. */
  readonly sql: string;
}

/** Only ever added to, at the end. */
export const migrations: readonly Migration[] = [
  { name: "m0001_runs", sql: m0001Runs },
  { name: "m0002_reviews", sql: m0002Reviews },
  { name: "m0003_unsigned_loops", sql: m0003UnsignedLoops },
  { name: "m0004_held_amounts", sql: m0004HeldAmounts },
  { name: "m0005_plain_replies", sql: m0005PlainReplies },
  { name: "m0006_events_as_they_come", sql: m0006EventsAsTheyCome },
  { name: "m0007_review_facts", sql: m0007ReviewFacts },
  { name: "m0008_settings_of_runs", sql: m0008SettingsOfRuns },
  { name: "m0009_stages", sql: m0009Stages },
  { name: "m0010_plausible_figures", sql: m0010PlausibleFigures },
  { name: "m0011_claims_and_moves", sql: m0011ClaimsAndMoves },
  { name: "m0012_lease_tokens", sql: m0012LeaseTokens },
  { name: "m0013_tasks", sql: m0013Tasks },
  { name: "m0014_people", sql: m0014People },
  { name: "m0015_run_lines", sql: m0015RunLines },
];

export const appliedTable = "schema_migrations";
