import type { IssueAnswer } from "../../domain/drafting/candidate.ts";
import { PassageReader } from "../../domain/drafting/changed-passages.ts";
import type { DraftInput, ReviewerRole, Role } from "../../domain/drafting/draft-input.ts";
import {
  applyAnswers,
  checksReviewer,
  type IssueLedger,
  openIssues,
} from "../../domain/drafting/issue-ledger.ts";
import type { LoopState } from "../../domain/drafting/iteration.ts";
import { unnamedReviewer } from "../../domain/drafting/panel.ts";
import type { ProvenanceRef } from "../../domain/drafting/provenance.ts";
import type { RaisedIssue } from "../../domain/drafting/review.ts";
import { feedbackOf } from "../../domain/drafting/session.ts";
import { nextIteration } from "../../domain/drafting/take-turn.ts";
import { needsMarkers } from "../../domain/models/truncation-guard.ts";
import { defined } from "../../domain/values/defined.ts";
import { key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Ask } from "../../ports/flow.ts";
import type { AskRequest } from "../../ports/runner.ts";
import { renderCreatorPrompt } from "../../protocol/drafting/creator-prompt.ts";
import { formatVersion, type Prompt } from "../../protocol/drafting/prompt.ts";
import {
  renderReviewerPrompt,
  reviewerInstructions,
} from "../../protocol/drafting/reviewer-prompt.ts";
import type {
  CreatorTask,
  RepairTask,
  ReviewerTask,
  SignatureQuestion,
} from "../../protocol/drafting/task.ts";

/** The state of the loop. The ledger may hold what people added after the last turn. */
export interface LoopPosition {
  readonly state: LoopState;
  readonly ledger: IssueLedger;
}

/** A text that waits for its review. */
export interface Written {
  readonly index: number;
  readonly text: string;
  /** The creator's answers to the open issues, given with this text. */
  readonly answers: readonly IssueAnswer[];
  readonly checks: readonly RaisedIssue[];
}

export interface CreatorAsk extends Ask {
  readonly task: CreatorTask;
  readonly provenance: readonly ProvenanceRef[];
}

export interface ReviewerAsk extends Ask {
  readonly task: ReviewerTask;
  readonly provenance: readonly ProvenanceRef[];
  readonly role: ReviewerRole;
  readonly index: number;
}

/** What a text or a verdict refers to beside its run: its prompt, the files it was made from. */
export type ProvenanceOf = (ask: Ask) => readonly ProvenanceRef[];

export interface DraftAskParts {
  /** The run's own nonces, for prompts that may be cut in silence. */
  readonly nonce: (name: string) => string;
  readonly provenanceOf: ProvenanceOf;
}

/** Turns the loop's state into questions, and counts them per role in the order they are asked. */
export class DraftAsks {
  readonly #input: DraftInput;
  readonly #parts: DraftAskParts;
  readonly #asked = { creator: 0, reviewer: 0 };
  readonly #passages = new PassageReader();

  constructor(input: DraftInput, parts: DraftAskParts) {
    this.#input = input;
    this.#parts = parts;
  }

  /** With an angle, several drafts of one text differ. */
  create(standing: LoopPosition, index: number, angle?: string): CreatorAsk {
    const task = this.#creatorTask(standing, index);
    const notes = [task.notes, angle].filter((one) => one !== undefined).join("\n\n");
    return this.#creatorAsk(angle === undefined ? task : { ...task, notes });
  }

  createAgain(ask: CreatorAsk, repair: RepairTask): CreatorAsk {
    return this.#creatorAsk({ ...ask.task, repair });
  }

  review(standing: LoopPosition, written: Written, role: ReviewerRole): ReviewerAsk {
    return this.#reviewerAsk(this.#reviewerTask(standing, written, role), role);
  }

  reviewAgain(ask: ReviewerAsk, repair: RepairTask): ReviewerAsk {
    const { markers: _, ...task } = ask.task;
    return this.#reviewerAsk({ ...task, repair }, ask.role);
  }

  /** Asks whoever approved with other words for a bare approval. */
  askToSign(ask: ReviewerAsk, question: SignatureQuestion): ReviewerAsk {
    const { markers: _, repair: __, ...task } = ask.task;
    return this.#reviewerAsk({ ...task, question }, ask.role);
  }

  #creatorAsk(task: CreatorTask): CreatorAsk {
    const { creator, candidates } = this.#input;
    const ask: Ask = {
      key: key("turn", task.iteration, "candidate", task.candidateIndex, "create", ...again(task)),
      mayFail: candidates > 1,
      request: this.#request("creator", creator, { task, prompt: renderCreatorPrompt(task) }),
    };
    return { task, provenance: this.#parts.provenanceOf(ask), ...ask };
  }

  #reviewerAsk(task: ReviewerTask, role: ReviewerRole): ReviewerAsk {
    const { iteration, candidateIndex, reviewer } = task;
    const at = key(
      "turn",
      iteration,
      "candidate",
      candidateIndex,
      "review",
      reviewer,
      ...again(task),
    );
    const { prompt, marked } = this.#guarded(task, role.model, at);
    const nonces = marked.markers === undefined ? {} : { nonces: marked.markers };
    const ask: Ask = {
      key: at,
      mayFail: this.#input.reviewers.length > 1,
      request: this.#request("reviewer", role, {
        task: marked,
        prompt,
        settings: { guard: true, ...nonces },
      }),
    };
    const provenance = this.#parts.provenanceOf(ask);
    return { task: marked, role, index: candidateIndex, provenance, ...ask };
  }

  /** A long prompt to a server that may cut it in silence gets a marker at each end. */
  #guarded(task: ReviewerTask, model: string, at: string) {
    const prompt = renderReviewerPrompt(task);
    if (!needsMarkers({ model, ...prompt })) return { prompt, marked: task };
    const markers = [this.#parts.nonce(`${at}/first`), this.#parts.nonce(`${at}/second`)] as const;
    const marked: ReviewerTask = { markers, ...task };
    return { prompt: renderReviewerPrompt(marked), marked };
  }

  #request(
    roleName: "creator" | "reviewer",
    { model, temperature, maxTokens }: Role,
    about: {
      readonly task: CreatorTask | ReviewerTask;
      readonly prompt: Prompt;
      readonly settings?: { readonly [name: string]: Json };
    },
  ): AskRequest {
    const { task, prompt, settings } = about;
    const ordinal = this.#asked[roleName];
    this.#asked[roleName] += 1;
    const seed = task.seed === undefined ? {} : { seed: task.seed };
    const { maxSeconds: totalSeconds } = this.#input.recipe;
    return {
      role: roleName,
      model,
      ...prompt,
      settings: { temperature, max_tokens: maxTokens, ...seed, ...settings },
      formatVersion,
      task: task as unknown as Json,
      ordinal,
      ...defined({ totalSeconds }),
    };
  }

  #creatorTask({ state, ledger }: LoopPosition, index: number): CreatorTask {
    const { recipe, lockedText, notes, seedText } = this.#input;
    const last = state.iterations.at(-1);
    const previousText = last?.candidate.content ?? seedText;
    const feedback = last === undefined ? undefined : feedbackOf(last.review);
    return {
      kind: "create",
      ...this.#facts(state, index),
      instructions: recipe.writerBrief,
      reply: recipe.creatorReply,
      ...defined({ removesMarks: recipe.removesMarks }),
      ...defined({ previousText, feedback }),
      openIssues: openIssues(ledger),
      ...defined({ lockedText, notes }),
    };
  }

  #reviewerTask(
    { state, ledger }: LoopPosition,
    written: Written,
    role: ReviewerRole,
  ): ReviewerTask {
    const { recipe } = this.#input;
    const last = state.iterations.at(-1);
    const facts = this.#facts(state, written.index);
    return {
      kind: "review",
      ...facts,
      reviewer: role.label ?? unnamedReviewer,
      instructions: reviewerInstructions(recipe.reviewerBrief, role, this.#input.reviewers),
      approval: recipe.approval,
      phrase: recipe.phrase,
      text: written.text,
      openIssues: openIssues(applyAnswers(ledger, written.answers, facts.iteration)).filter(
        ({ issue }) => issue.reviewer !== checksReviewer,
      ),
      ...(last === undefined
        ? {}
        : { changedPassages: this.#passages.changed(last.candidate.content, written.text) }),
      checkIssues: written.checks,
    };
  }

  #facts(state: LoopState, index: number) {
    const { assetId, recipe, brief, context, seed, candidates } = this.#input;
    const { title, format, checks, maxCharacters } = recipe;
    const iteration = nextIteration(state);
    const varied = candidates > 1 ? (seed ?? 1) + index - 1 : seed;
    return {
      assetId,
      recipe: recipe.id,
      title,
      format,
      checks,
      maxCharacters,
      brief,
      iteration,
      candidateIndex: index,
      ...defined({ context, seed: varied }),
    };
  }
}

function again(task: CreatorTask | ReviewerTask): readonly (string | number)[] {
  if (task.kind === "review" && task.question !== undefined) return ["question", 1];
  return task.repair === undefined ? [] : ["repair", 1];
}
