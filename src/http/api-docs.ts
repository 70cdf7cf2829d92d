import { snakeCase, wireJsonSchema } from "../contract/documents/snake-case.ts";
import { splitRoute, tagOf } from "../contract/http/open-api.ts";
import type { Route, RouteAnswer } from "../contract/http/route.ts";
import { type RouteName, routes } from "../contract/http/routes.ts";

/** The table as a page: nothing but text, so it needs no script. */
export function apiDocsPage(): string {
  const names = Object.keys(routes) as RouteName[];
  const tags = [...new Set(names.map(tagOf))];
  const sections = tags.map((tag) => {
    const lines = names.filter((name) => tagOf(name) === tag);
    return `<section><h2>${escaped(tag)}</h2>${lines.map(article).join("")}</section>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signoff API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/api/docs.css"></head><body><main><h1>Signoff API</h1>
<p>Every request but the first needs <code>Authorization: Bearer &lt;token&gt;</code>; the token is in the address
that <code>signoff studio</code> prints. Writes are JSON. A refusal is
<code>{code, message, hint, request_id}</code>. The same as data: <code>/api/openapi.json</code>.</p>
${sections.join("")}</main></body></html>`;
}

function article(name: RouteName): string {
  const route: Route = routes[name];
  const { method, path } = splitRoute(name);
  const query = Object.keys(route.query?.shape ?? {}).map(snakeCase);
  const asked = [
    ...(query.length === 0 ? [] : [`<p>Query: ${query.map(code).join(", ")}</p>`]),
    ...(route.isCreate === true ? [`<p>Header: ${code("Idempotency-Key")}</p>`] : []),
    ...(route.body === undefined ? [] : [schema("Body", route.body)]),
  ];
  const answers = Object.entries(route.answers).map(([status, answer]) =>
    answerText(status, answer),
  );
  const problems = (route.problems ?? []).map(code).join(", ");
  return `<article><h3><b>${method}</b> ${code(path)}</h3><p>${escaped(route.summary)}</p>
${asked.join("")}${answers.join("")}${problems === "" ? "" : `<p>Refusals: ${problems}</p>`}</article>`;
}

function answerText(status: string, answer: RouteAnswer): string {
  if (answer === "none") return `<p>Answers ${status}</p>`;
  if (typeof answer === "string") return `<p>Answers ${status}: ${escaped(answer)}</p>`;
  return schema(`Answers ${status}`, answer);
}

function schema(title: string, shape: NonNullable<Route["body"]>): string {
  const text = JSON.stringify(wireJsonSchema(shape), undefined, 2);
  return `<details><summary>${escaped(title)}</summary><pre>${escaped(text)}</pre></details>`;
}

function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export const apiDocsStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
article { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .5rem 0; }
h2 { text-transform: capitalize; } h3 { font-size: 1rem; margin: .5rem 0; }
pre { overflow: auto; font-size: .8125rem; padding: .75rem; border-radius: .5rem;
  background: color-mix(in srgb, currentColor 6%, transparent); }
code { font-family: ui-monospace, monospace; font-size: .875em; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
`;
