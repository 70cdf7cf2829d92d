/** A recipe to begin with: it works as it is, and says what each part is for. */
export function recipeTemplate(id: string, title: string): string {
  return `---
id: ${id}
title: ${JSON.stringify(title)}
# markdown, plain or html
format: markdown
max_turns: 4
# A program checks these in every draft; "warning" does not stop an approval.
checks:
  - { kind: min_length, characters: 40, severity: error }
  - { kind: max_length, characters: 4000, severity: error }
  - { kind: banned_words, words: [game-changing, seamless], severity: warning }
stop_rules: [early_stop, oscillation]
writer: { temperature: 0.7, max_tokens: 1500 }
reviewer: { temperature: 0.3, max_tokens: 1000 }
---

## Writer

You write this text for …

- What has to be in it, and in which order.
- The tone, the language, what to leave out.
- Use only what the brief and the material say.

## Reviewer

You judge this text as someone who …

1. Is everything that the brief asks for in it?
2. Is every statement supported by the brief or the material? Name each one that is not.
3. Is there a sentence that could go?
`;
}
