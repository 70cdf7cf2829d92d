import { parseNote } from "../../contract/documents/parse-note.ts";
import { decodeReviewJob } from "../../contract/gates/review-job.ts";
import { deciderOf } from "../../domain/evidence/decider-of.ts";
import type { Decider, Standing } from "../../domain/evidence/standing.ts";
import type { ReviewDecision, Settled } from "../../domain/gates/decision.ts";
import { isMemberPartition } from "../../domain/gates/model-partition.ts";
import { decideNoteStanding, pairTitle } from "../../domain/gates/note-standing.ts";
import { digestNote } from "../../domain/gates/pair-digests.ts";
import {
  isDecidedByStandIn,
  type JudgeAnswer,
  memberOf,
  type NotesPanel,
  panelOf,
  voteOnPair,
  voteOnSeries,
} from "../../domain/gates/panel-vote.ts";
import type { JobNote, ReviewJob } from "../../domain/gates/review-job.ts";
import { evaluateRules } from "../../domain/gates/rule-gate.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Key, RunId } from "../../domain/values/ids.ts";
import type { GateReviewRow } from "../../ports/review-repos.ts";
import type { RunStore } from "../../ports/run-store.ts";
import type { Reply } from "../../ports/runner.ts";
import { recordedReply } from "../runs/load-exchange.ts";
import { skippedIn } from "./check-notes.ts";
import { knownModels } from "./current-acceptances.ts";
import { VersionDigests } from "./filed-verdicts.ts";
import { asksAboutDoubts, repairKey, reviewKey } from "./gate-review-flow.ts";
import { loadWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { noteTextOf } from "./plan-work.ts";
import { type ReadReplies, readReplies } from "./read-review.ts";
import { loadRulings, rulingsOfPair } from "./rulings.ts";
import { partitionOf, partitionsOf, selectAllPairs } from "./select-pairs.ts";
import type { TargetPair } from "./target-pair.ts";

export interface EvidenceSource {
  readonly runs: Pick<RunStore, "load" | "find">;
  readonly nonceInRun: (run: RunId, name: string) => string;
}

/** Derives the acceptance of every pair that has been reviewed from the recorded replies, the texts and the rulings. */
export async function verifyNotes(
  tools: WritingTools,
  source: EvidenceSource,
  isWanted: (name: string) => boolean,
): Promise<readonly Standing[]> {
  const world = await loadWorld(tools, { paths: [], gates: [] });
  const undecided = await tools.store.read(({ reviews }) => reviews.gateReviews.ofUndecidedPairs());
  const models = [
    ...new Set([...(await knownModels(tools)), ...undecided.map(({ model }) => model)]),
  ];
  if (models.length === 0) return [];
  const { freshPairs, stale, problems } = await selectAllPairs(tools, world, {
    models,
    readAll: true,
  });
  const configured = new Set(partitionsOf(tools, tools.settings.models));
  // What members of a panel say is evidence of its vote and no acceptance of its own.
  const panels = Object.values(tools.settings.panels).flatMap((panel) => panel.members);
  const members = new Set(panels.map(({ judge }) => partitionOf(tools, judge)));
  const isMember = (model: string) => members.has(model) || isMemberPartition(model);
  const claimed = [...freshPairs, ...stale].filter(
    ({ accepted, model, state }) =>
      configured.has(model) ||
      ((accepted !== undefined || state.kind === "undecided") && !isMember(model)),
  );
  const reader = await EvidenceReader.open(tools, source);
  const standings: Standing[] = [...problems, ...skippedIn(world)].map(({ path, message }) => ({
    ...{ kind: "note", name: path, accepted: false, why: "it cannot be read" },
    missing: [{ text: message, command: "signoff notes check" }],
  }));
  const wanted = claimed.filter(({ note, gate, model }) =>
    isWanted(pairTitle({ notePath: note.path, gateId: gate.id, model })),
  );
  for (const pair of wanted) standings.push(await reader.standingOf(pair));
  return standings.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

interface Derived {
  readonly decision: ReviewDecision;
  /** Absent for rules, which no one has to judge. */
  readonly decider?: Decider;
  readonly model: string;
  /** The prompt showed what the pair consists of now. */
  readonly isAbout: boolean;
}

interface ReadRun extends Pick<ReadReplies, "reviews"> {
  readonly job: ReviewJob;
}

/** Verdicts of the store that rest on replies in it. */
const evidenceHere = new Set<string>(["full-review", "vote"]);

class EvidenceReader {
  readonly #tools: WritingTools;
  readonly #source: EvidenceSource;
  readonly #digests: VersionDigests;
  readonly #rulings: Awaited<ReturnType<typeof loadRulings>>;
  readonly #runs = new Map<string, ReadRun | undefined>();

  private constructor(
    tools: WritingTools,
    source: EvidenceSource,
    about: { digests: VersionDigests; rulings: Awaited<ReturnType<typeof loadRulings>> },
  ) {
    this.#tools = tools;
    this.#source = source;
    this.#digests = about.digests;
    this.#rulings = about.rulings;
  }

  static async open(tools: WritingTools, source: EvidenceSource): Promise<EvidenceReader> {
    const digests = await VersionDigests.load(tools, []);
    return new EvidenceReader(tools, source, { digests, rulings: await loadRulings(tools) });
  }

  async standingOf(pair: TargetPair): Promise<Standing> {
    const { note, gate, model, state, accepted } = pair;
    const replies = state.kind === "fresh" ? await this.#derive(pair) : [];
    const derived = replies.filter(({ isAbout }) => isAbout);
    const isOwn = accepted?.from === "store" && evidenceHere.has(accepted.kind ?? "");
    const misfiled = isOwn && derived.length === 0 ? replies.at(-1)?.model : undefined;
    const verdict = accepted && { says: accepted.says, decision: accepted.decision };
    return decideNoteStanding({
      ...{ notePath: note.path, gateId: gate.id, model, failLevel: gate.failLevel, state },
      ...{ dismissed: accepted?.dismissed ?? 0, derived: derived.map(({ decision }) => decision) },
      ...defined({
        verdict,
        ruling: this.#rulingOf(pair),
        decider: derived.at(-1)?.decider,
        misfiled,
      }),
      isStandInRefused:
        isDecidedByStandIn(model, this.#tools.settings.panels) &&
        !this.#tools.settings.allowOffline,
    });
  }

  #rulingOf({ note, gate, model, accepted }: TargetPair) {
    if (accepted?.override !== undefined || accepted?.from !== "rulings") return accepted?.override;
    const own = this.#rulings.byNote.get(note.path) ?? [];
    return rulingsOfPair(own, gate.id, model).acknowledgements.find(
      ({ digests }) => digests.note === accepted.digests?.note,
    );
  }

  /** What every recorded reply about the pair says. */
  async #derive(pair: TargetPair): Promise<readonly Derived[]> {
    const { note, gate, model } = pair;
    if (gate.kind === "rule") return this.#evaluate(pair);
    const panel = panelOf(model, this.#tools.settings.panels);
    if (panel !== undefined) return this.#recount(pair, panel);
    const rows = await this.#tools.store.read(({ reviews }) =>
      reviews.gateReviews.ofNote(note.path),
    );
    const found: Derived[] = [];
    const vote = pair.accepted?.kind === "vote" ? await this.#voteOn(pair) : undefined;
    for (const row of rows) {
      if (row.gateId !== gate.id || row.model !== model) continue;
      if (vote !== undefined && row.at > vote.at) continue;
      const derived = await this.#deriveRow(pair, row);
      if (derived !== undefined) found.push(derived);
    }
    return pair.accepted?.kind === "vote" ? recountSeries(found, vote?.answers ?? 0) : found;
  }

  async #deriveRow(pair: TargetPair, row: GateReviewRow): Promise<Derived | undefined> {
    const read = await this.#readRun(row);
    const shown = read && shownIn(read.job, row);
    const review = read?.reviews.find(
      (one) => one.gateId === pair.gate.id && one.notePath === shown?.path,
    );
    if (read === undefined || shown === undefined || review === undefined) return undefined;
    const isAbout = this.#isAbout(read.job, shown, pair) && this.#isAskedAs(read.job, pair.model);
    const asked = read.job.model;
    return { decision: review.decision, decider: deciderOf(asked), model: asked, isAbout };
  }

  /** The vote of a series, and how many answers it counted. */
  async #voteOn({ note, gate, model }: TargetPair) {
    const rows = await this.#tools.store.read(({ reviews }) =>
      reviews.acceptances.ofNote(note.path),
    );
    const vote = rows.findLast(
      (row) => row.kind === "vote" && row.gateId === gate.id && row.model === model,
    );
    const answers = Number(/^series of (\d+):/.exec(vote?.reason ?? "")?.[1] ?? 0);
    return vote && { at: vote.at, answers };
  }

  /** The vote again, from what each member's replies say; nothing if any member's reply is not at hand. */
  async #recount(pair: TargetPair, panel: NotesPanel): Promise<readonly Derived[]> {
    const answers: JudgeAnswer[] = [];
    let decider: Decider = "model";
    for (const { name: member, judge } of panel.members) {
      const model = partitionOf(this.#tools, judge);
      const { accepted: _vote, ...ofMember } = pair;
      const all = await this.#derive({ ...ofMember, model });
      const replies = all.filter((one) => one.isAbout);
      const [worst] = ["fail", "warn", "pass"].filter((word) =>
        replies.some(({ decision }) => decision === word),
      );
      if (replies.length === 0) return all.slice(-1).map((one) => ({ ...one, model: pair.model }));
      if (replies[0]?.decider !== "model") decider = replies[0]?.decider ?? decider;
      answers.push({ member, answer: (worst as Settled | undefined) ?? "undecided" });
    }
    const { decision } = voteOnPair(answers, panel, pair.gate.failLevel);
    return [{ decision, decider, model: pair.model, isAbout: true }];
  }

  async #evaluate({ gate, note }: TargetPair): Promise<readonly Derived[]> {
    const { matches } = await this.#tools.loadPatterns();
    const { decision } = evaluateRules(
      gate.rules,
      parseNote(noteTextOf(this.#tools, note.path)),
      matches,
    );
    return [{ decision, model: "", isAbout: true }];
  }

  /** A member of a panel was asked in its role, and any other judge in none. */
  #isAskedAs({ member, model }: ReviewJob, partition: string): boolean {
    const known = memberOf(partition, this.#tools.settings.panels);
    if (known === undefined) return member === undefined;
    return member?.instructions === known.instructions && model === known.model;
  }

  #isAbout(job: ReviewJob, shown: JobNote, { note, gate }: TargetPair): boolean {
    const asked = job.gates.find(({ id }) => id === gate.id);
    // Prompts of earlier versions of this program showed the description as well.
    const shownBodies = [gate.body, `${gate.description ?? ""}\n\n${gate.body}`];
    if (asked === undefined || !shownBodies.includes(asked.body.replace(/\r\n?/gu, "\n")))
      return false;
    const now = this.#digests.present(note, gate).note;
    if (now === undefined) return shown.text === noteTextOf(this.#tools, note.path);
    return digestNote(parseNote(shown.text), gate, this.#tools.digest) === now;
  }

  async #readRun({ run }: GateReviewRow): Promise<ReadRun | undefined> {
    if (!this.#runs.has(run)) this.#runs.set(run, await this.#loadRun(run));
    return this.#runs.get(run);
  }

  async #loadRun(run: RunId): Promise<ReadRun | undefined> {
    const record = await this.#source.runs.load(run);
    if (record === undefined) return undefined;
    const job = decodeReviewJob(record.job.input);
    const replies = job.live ? await this.#answersTo(run) : await this.#repliesTo(run);
    if (replies.length === 0) return undefined;
    const nonceOf = (name: string) => this.#source.nonceInRun(run, name);
    const asksDoubts = job.live || asksAboutDoubts(job);
    return { job, reviews: readReplies(job, replies, { nonceOf, asksDoubts }).reviews };
  }

  async #repliesTo(run: RunId): Promise<readonly Pick<Reply, "text" | "finish">[]> {
    const found = [];
    for (const key of [reviewKey, repairKey] as readonly Key[]) {
      const reply = await recordedReply(this.#source.runs, run, key);
      if (reply !== undefined) found.push(reply);
    }
    return found;
  }

  async #answersTo(run: RunId): Promise<readonly Pick<Reply, "text" | "finish">[]> {
    const decisions = await this.#tools.store.read(({ inbox }) => inbox.of(run));
    return decisions.flatMap(({ answer }) =>
      answer === undefined ? [] : [{ text: answer.text ?? "", finish: "complete" as const }],
    );
  }
}

/** The vote again, from the replies; nothing if one that it counted is not at hand. */
function recountSeries(replies: readonly Derived[], answers: number): readonly Derived[] {
  const counted = replies.filter(({ isAbout }) => isAbout).slice(0, answers);
  const [first] = counted;
  if (first === undefined || counted.length < answers) return [];
  return [{ ...first, decision: voteOnSeries(counted.map(({ decision }) => decision)) }];
}

/** The note of a row in its job, which knows it by the path it had then. */
function shownIn(job: ReviewJob, { notePath, noteBlob }: GateReviewRow): JobNote | undefined {
  const same = job.notes.filter(({ blobSha }) => blobSha === noteBlob);
  return same.find(({ path }) => path === notePath) ?? same[0];
}
