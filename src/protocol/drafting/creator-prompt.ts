import { materialBlock } from "./material-block.ts";
import {
  describeChecks,
  describeContext,
  describeIssues,
  describeRepair,
  materialRule,
  type Prompt,
  paragraphs,
} from "./prompt.ts";
import type { CreatorTask } from "./task.ts";

/** The creator's prompt. The first turn has only the brief; later ones add the text, the feedback and the open issues. */
export function renderCreatorPrompt(task: CreatorTask): Prompt {
  const stable = paragraphs(
    `Write this: ${task.title}.`,
    `The brief:\n\n${materialBlock("brief", task.brief)}`,
    describeContext("Material you may use, by the name of its file:", task.context),
    section("Editorial notes:", "notes", task.notes),
    section("The text must be exactly this:", "locked", task.lockedText),
  );
  return {
    system: paragraphs(
      task.instructions,
      describeChecks(task.checks),
      materialRule,
      task.reply === "plain" ? plainForm : structuredForm,
    ),
    user: paragraphs(
      stable,
      task.iteration === 1 ? undefined : `This is iteration ${task.iteration}.`,
      section("The previous text:", "previous", task.previousText),
      section("The reviewer's feedback on it:", "feedback", task.feedback),
      openIssues(task),
      task.feedback === undefined ? undefined : "Improve the text based on the feedback.",
      describeRepair(task.repair),
    ),
    stablePrefix: stable.length,
    ...(task.reply === "plain"
      ? { expects: "text" }
      : { expects: "json", replySchema: creatorSchema }),
  };
}

const plainForm =
  "Reply with the text alone: no explanation, no label, no quotation marks around it.";

const structuredForm = paragraphs(
  "Reply with one JSON object and nothing else:",
  '{"content": <the whole text>, "done": <true when you would sign it as it is>, "answers": [{"issue_id": <id>, "answer": "fixed" or "rebutted" or "deferred", "reason": <one sentence>}]}',
  "Answer every open issue by its id. Rebut an issue when it is wrong; say why.",
);

const creatorSchema = {
  type: "object",
  properties: {
    content: { type: "string" },
    done: { type: "boolean" },
    answers: {
      type: "array",
      items: {
        type: "object",
        properties: {
          issue_id: { type: "string" },
          answer: { enum: ["fixed", "rebutted", "deferred"], type: "string" },
          reason: { type: "string" },
        },
        required: ["issue_id", "answer"],
        additionalProperties: false,
      },
    },
  },
  required: ["content"],
  additionalProperties: false,
};

function section(title: string, name: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${title}\n\n${materialBlock(name, text)}`;
}

function openIssues({ openIssues: open }: CreatorTask): string | undefined {
  return open.length === 0 ? undefined : `Open issues, one a line:\n\n${describeIssues(open)}`;
}
