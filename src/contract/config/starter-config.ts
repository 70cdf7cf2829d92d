import { stringify } from "yaml";

/** A first `signoff.yaml`: what people change most, and the rest as comments. */
export function starterConfig(model: string | undefined, project: string): string {
  const models =
    model === undefined
      ? "# models:\n#   writer: ollama/mistral          # who writes; `signoff models` lists those that can be reached"
      : `models:\n  writer: ${stringify(model).trim()}`;
  const more = model === undefined ? "#  " : "  #";
  return `# Settings of this project. A flag or a variable wins over what is here; \`signoff config show\` prints what applies.
version: 1
project: ${project}    # its name in a database that several projects share

${models}
${more} reviewer: ollama/llama3.2       # who reviews; without it the writer's model does
${more} aliases: { fast: ollama/gemma2:2b }

# providers:
#   ollama: { base_url: http://localhost:11434 }
#   compatible:                     # any server that speaks OpenAI's Chat Completions
#     lab: { base_url: http://lab:8000/v1, api_key_env: LAB_KEY }    # asks for \`signoff trust\`

# commands:                         # programs that answer a prompt on standard input; ask for \`signoff trust\`
#   claude: { argv: [claude, -p, --output-format, json], reads: claude-json, seconds: 900 }

# prices:                           # micro-dollars per million tokens; without a price a cost is unknown, never 0
#   - { model: openai/gpt-4o, from: 2026-01-01, input: 2500000, output: 10000000, source: "price list" }

# limits:
#   concurrency: { default: 4, ollama: 1 }
#   requests_per_second: { openai: 10 }
#   retries: 3                      # attempts of one call, the first included
#   longest_wait_seconds: 600       # for a provider that asks to wait
#   budget: { usd: 5 }

drafting:
  max_turns: 5
  # recipes: signoff/recipes        # your own recipes
`;
}
