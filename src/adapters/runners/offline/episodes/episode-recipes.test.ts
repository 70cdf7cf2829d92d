import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { assetKinds, formatOfKind } from "../../../../domain/episodes/asset-kind.ts";

const checkKinds = [
  "max_length",
  "min_length",
  "one_line",
  "sentences",
  "pattern",
  "banned_words",
  "required_section",
  "required_text",
  "hashtags",
  "bullet_list",
  "comma_list",
  "unique_items",
  "opening_chapter",
];

test.each([...assetKinds])(
  "the recipe of %s is complete and ends by convergence or the limit alone",
  (kind) => {
    const text = readFileSync(
      join(import.meta.dirname, "../../../../../recipes", `${kind}.md`),
      "utf8",
    );
    const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    const recipe = parse(head);
    expect(Object.keys(recipe)).toEqual([
      "id",
      "title",
      "format",
      "reply",
      "approval",
      "max_turns",
      "max_characters",
      "checks",
      "stop_rules",
      "stop_on_needs_human",
      "writer",
      "reviewer",
    ]);
    expect(recipe).toMatchObject({
      id: kind,
      format: formatOfKind(kind),
      reply: "structured",
      approval: "structured",
      stop_rules: [],
    });
    expect(recipe.checks.length).toBeGreaterThan(0);
    for (const check of recipe.checks) expect(checkKinds).toContain(check.kind);
    expect(body.match(/^## .*$/gm)).toEqual(["## Writer", "## Reviewer"]);
  },
);

test.each([
  ["title_detail", "max_length", 99],
  ["title_seo", "max_length", 69],
  ["subtitle_auphonic", "max_length", 254],
  ["mastodon", "max_length", 499],
])("%s stays below its channel's limit", (kind, check, characters) => {
  const text = readFileSync(
    join(import.meta.dirname, "../../../../../recipes", `${kind}.md`),
    "utf8",
  );
  const { checks } = parse(text.split("---\n")[1] ?? "");
  expect(checks).toContainEqual({ kind: check, characters, severity: "error" });
});
