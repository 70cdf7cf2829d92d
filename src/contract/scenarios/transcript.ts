import type { ConversationPair } from "../../domain/scenarios/conversation-review.ts";
import type { ConversationItem } from "../../domain/scenarios/turn.ts";
import { defined } from "../../domain/values/defined.ts";

const SPEAKER =
  /^\s*(?:#{1,6}\s*|\*\*|\[)?(user|you|question|nutzer|frage|пользователь|вопрос|assistant|bot|answer|assistent|antwort|ассистент|ответ)\s*(?:\*\*|\])?\s*(?::|$)\s*(?:\*\*)?\s*/iu;
const USER = ["user", "you", "question", "nutzer", "frage", "пользователь", "вопрос"];

/** A pasted conversation: `User: …` and `Assistant: …`, as lines, bold or headings. */
export function parseSessionTranscript(text: string): readonly ConversationItem[] {
  const items: { role: "user" | "assistant"; lines: string[] }[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    const speaker = SPEAKER.exec(line);
    const name = speaker?.[1]?.toLowerCase();
    if (speaker !== null && name !== undefined) {
      items.push({
        role: USER.includes(name) ? "user" : "assistant",
        lines: [line.slice(speaker[0].length)],
      });
    } else {
      items.at(-1)?.lines.push(line);
    }
  }
  return items.map(({ role, lines }) => ({ role, text: lines.join("\n").trim() }));
}

/** Each question with all that was answered before the next one; a question without an answer has an empty one. */
export function pairConversation(
  sessionId: string,
  items: readonly ConversationItem[],
): readonly ConversationPair[] {
  return items.flatMap((item, at) => {
    if (item.role !== "user") return [];
    const rest = items.slice(at + 1);
    const next = rest.findIndex((one) => one.role === "user");
    const answers = rest.slice(0, next < 0 ? undefined : next);
    const replyType = answers.at(-1)?.replyType;
    const { at: asked } = item;
    return [
      {
        pairId: `${sessionId}#${at + 1}`,
        sessionId,
        question: item.text,
        answer: answers.map((answer) => answer.text).join("\n\n"),
        ...defined({ replyType, at: asked }),
      },
    ];
  });
}
