import { createHash } from "node:crypto";
import { createServer } from "node:http";

/** Ollama's wire format; every reply follows from its prompt alone, so a repeated call gets the same reply. */
export async function openModelServer(chance) {
  let calls = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    if (request.url === "/api/tags")
      return response.end(JSON.stringify({ models: [{ name: model, model }] }));
    if (request.url === "/api/show") return response.end(JSON.stringify({ model_info: {} }));
    calls += 1;
    const { messages } = JSON.parse(text);
    const reply = replyTo(messages.map(({ content }) => content).join("\n"));
    const line = (content, more) =>
      `${JSON.stringify({ model, message: { role: "assistant", content }, ...more })}\n`;
    const half = Math.floor(reply.length / 2);
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write(line(reply.slice(0, half), { done: false }));
    // Gives a kill the time to catch the reply on its way.
    setTimeout(() => {
      const end = { done: true, done_reason: "stop", prompt_eval_count: 20, eval_count: 5 };
      response.end(line(reply.slice(half), end));
    }, chance.below(15));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    calls: () => calls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const model = "mistral:latest";

function replyTo(prompt) {
  const number = createHash("sha256").update(prompt).digest().readUInt32BE();
  const isReview = prompt.includes("The text under review");
  if (prompt.includes("=== GATE REVIEW START")) return gateReviews(prompt);
  if (prompt.includes("verdict") && isReview) return structuredReview(number);
  if (isReview) return number % 3 === 0 ? "SHIP IT!" : `Say more about reason ${number % 97}.`;
  if (prompt.includes('"content"'))
    return JSON.stringify({ content: `two-day-bread-${number % 9973}`, done: true });
  return `Hydrate Green, Live Clean ${number % 9973}`;
}

const structuredReview = (number) =>
  JSON.stringify(
    number % 3 === 0
      ? { verdict: "ok" }
      : { verdict: "changes_requested", issues: [{ message: `reason ${number % 97}` }] },
  );

/** Fills in every block that the prompt asks for, with the code it shows. */
function gateReviews(prompt) {
  const asked = prompt.slice(prompt.indexOf("Write these blocks"));
  return asked
    .slice(asked.indexOf("==="))
    .replace(
      /…\s+## Result (\S+): …/gu,
      "### Summary\nIt is plain.\n### Findings\nNone.\n## Result $1: PASS",
    );
}
