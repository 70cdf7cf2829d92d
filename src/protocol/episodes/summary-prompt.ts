import type { JsonObject } from "../../domain/values/json.ts";
import { materialBlock } from "../drafting/material-block.ts";
import { describeRepair, materialRule, type Prompt, paragraphs } from "../drafting/prompt.ts";
import type { ChunkSummaryTask, EpisodeSummaryTask, SummaryTask } from "./summary-task.ts";

/** Stored beside each recorded reply: another version means other prompts or another way to read replies. */
export const summaryFormat = "episode-summary/1";

export function renderSummaryPrompt(task: SummaryTask): Prompt {
  const { system, user } = task.kind === "summarize-chunk" ? chunkPrompt(task) : wholePrompt(task);
  return {
    system,
    user: paragraphs(user, describeRepair(task.repair)),
    expects: "json",
    stablePrefix: user.length,
    replySchema: task.kind === "summarize-chunk" ? chunkSchema : wholeSchema,
  };
}

const texts = { type: "array", items: { type: "string" } };
const links = {
  type: "array",
  items: closedObject({ url: { type: "string" }, label: { type: "string" } }, ["url"]),
};
const summary = { summary_markdown: { type: "string" } };
const chunkSchema = closedObject({ ...summary, bullets: texts, entities: texts, links });
const wholeSchema = closedObject({ ...summary, key_points: texts, topics: texts, links });

/** All members are required unless some are named. */
function closedObject(properties: JsonObject, required: string[] = Object.keys(properties)) {
  return { type: "object", properties, required, additionalProperties: false };
}

function chunkPrompt({ language, text, hosts }: ChunkSummaryTask) {
  return {
    system: paragraphs(
      "You sum up one stretch of a podcast's transcript for the people who will write its texts.",
      "Keep to what is said. Name people, places, works and numbers as they are spoken. Leave out greetings and filler.",
      `Write in the language "${language}".`,
      materialRule,
      "Reply with one JSON object and nothing else:",
      '{"summary_markdown": <two to four sentences>, "bullets": [<up to five statements, each a whole sentence>], "entities": [<up to twelve names and subjects>], "links": [{"url": <address as spoken>, "label": <what it is>}]}',
    ),
    user: paragraphs(hostsLine(hosts), `The stretch:\n\n${materialBlock("transcript", text)}`),
  };
}

function wholePrompt({ language, parts, hosts }: EpisodeSummaryTask) {
  const lines = parts.map(({ summaryMarkdown, bullets, entities, links }) =>
    JSON.stringify({ summary: summaryMarkdown.trim(), bullets, entities, links }),
  );
  return {
    system: paragraphs(
      "You make one summary of a podcast episode out of the summaries of its parts, which are in their order and overlap a little.",
      "Say what the episode is about first. Keep what only this episode has; say nothing twice, and nothing that no part says.",
      `Write in the language "${language}".`,
      materialRule,
      "Reply with one JSON object and nothing else:",
      '{"summary_markdown": <one to three paragraphs>, "key_points": [<up to twelve statements, each a whole sentence>], "topics": [<up to twelve subjects, the most important first>], "links": [{"url": <address>, "label": <what it is>}]}',
    ),
    user: paragraphs(
      hostsLine(hosts),
      `The parts, one a line:\n\n${materialBlock("parts", lines.join("\n"))}`,
    ),
  };
}

function hostsLine(hosts: readonly string[] = []): string {
  return hosts.length === 0 ? "" : `Hosts (use no other names for them): ${hosts.join(", ")}`;
}
