import type { Command } from "commander";

/** Typical calls of commands, by name; the help of other commands has its own examples. */
const examples: { readonly [command: string]: string | readonly string[] } = {
  init: ["signoff init", "signoff init --model ollama/mistral"],
  demo: ["signoff demo --verbose", "signoff demo --studio --open"],
  "demo assistant": "signoff demo assistant --defect temporal",
  "recipes new": ["signoff recipes new press_release", "signoff recipes new memo --like email"],
  "recipes try": 'signoff recipes try release_note "a night train to Lisbon"',
  verify: ["signoff verify", "signoff verify stage"],
  "episode init": "signoff episode init --episode-id bread_042",
  "episode add": "signoff episode add --transcript talk.vtt --chapters chapters.txt",
  "episode chunk": "signoff episode chunk",
  "episode summarize": "signoff episode summarize --model ollama/mistral",
  "episode draft": "signoff episode draft --asset-id title_detail -n 3",
  "episode pick": 'signoff episode pick --asset-id slug --candidate-id 3fa85f64-… --reason "short"',
  "episode adopt": 'signoff episode adopt --asset-id slug --reason "shorter"',
  "episode unlock": 'signoff episode unlock --asset-id title_seo --reason "the guest changed"',
  "episode status": "signoff episode status --json",
  "pack check": "signoff pack check --manifest pack.yaml",
  "pack try": 'signoff pack try "What do you sell?" --assistant-url http://127.0.0.1:8787',
  "pack run": "signoff pack run --manifest pack.yaml --assistant-url http://127.0.0.1:8787",
  "pack loop": "signoff pack loop --manifest pack.yaml --report report.html",
  "pack save":
    "signoff pack save --spec pack.yaml --validated-run-dir artifacts/domain_runs/shop_pack",
  "pack compare": "signoff pack compare artifacts/domain_runs/shop_pack yesterday/shop_pack",
  scenario: "signoff scenario run --manifest scenario.yaml",
  "scenario run": "signoff scenario run --manifest scenario.yaml",
  case: 'signoff case run "How many lamps are in stock?"',
  "case run": 'signoff case run "How many lamps are in stock?" --case-id lamps',
  run: "signoff run review assistant-stage1-3fa85f64",
  "run review": "signoff run review assistant-stage1-3fa85f64 --print-summary",
  "stage plan": "signoff stage plan --manifest examples/stage/stage.yaml",
  "stage run": "signoff stage run --manifest examples/stage/stage.yaml",
  "stage review-questions": "signoff stage review-questions --manifest examples/stage/stage.yaml",
  "stage ingest-run":
    "signoff stage ingest-run --manifest examples/stage/stage.yaml --run-id gui-3fa85f64",
  "stage prepare-repair": "signoff stage prepare-repair --manifest examples/stage/stage.yaml",
  "stage run-repair": "signoff stage run-repair --manifest examples/stage/stage.yaml --dry-run",
  "stage status": "signoff stage status --manifest examples/stage/stage.yaml",
  "stage continue": "signoff stage continue --manifest examples/stage/stage.yaml",
  "stage summarize": "signoff stage summarize --manifest examples/stage/stage.yaml",
  "stage rule":
    'signoff stage rule --manifest examples/stage/stage.yaml --repair repair-01 --reason "I moved the file"',
  "stage reopen":
    'signoff stage reopen --manifest examples/stage/stage.yaml --reason "a customer found more"',
  "stage close": 'signoff stage close --manifest examples/stage/stage.yaml --confirmed-by "Ada"',
  notes: ["signoff notes status", "signoff notes review --plan", "signoff notes check"],
  "notes init": "signoff notes init",
  "notes status": "signoff notes status --explain notes/rye.md:prose/overclaiming",
  "notes review": "signoff notes review --limit 20 --budget 1usd",
  "notes sweep": "signoff notes sweep prose/overclaiming --plan",
  "notes prompt": "signoff notes prompt --gate semantic --note notes/rye.md",
  "notes ingest": "signoff notes ingest --run 7 --input reply.md",
  "notes retry": "signoff notes retry 7",
  "notes ack": 'signoff notes ack notes/rye.md:prose/overclaiming --reason "a typo only"',
  "notes dismiss": 'signoff notes dismiss 3fa85f64 --reason "the source is cited below"',
  "notes override":
    'signoff notes override notes/rye.md:prose/overclaiming --to pass --reason "misread"',
  "notes warns": "signoff notes warns",
  "notes mv": "signoff notes mv notes/rye.md notes/bread/rye.md --apply",
  "notes lock": "signoff notes lock",
  "notes check": "signoff notes check --format sarif > notes.sarif",
  "notes history": "signoff notes history notes/rye.md",
  "notes export": "signoff notes export notes/rye.md",
  "notes import": "signoff notes import --from review-store.sqlite",
  worker: ["signoff worker", "signoff worker --concurrency 20 --health-port 9100"],
  workers: "signoff workers --json",
  "runs list": "signoff runs list --state waiting",
  "runs show": "signoff runs show 3fa85f64 --why",
  "runs resume": "signoff runs resume 3fa85f64 --budget 1usd",
  "runs cancel": "signoff runs cancel 3fa85f64 --reason 'wrong brief'",
  "runs approve": "signoff runs approve 3fa85f64 --turn 2 --reason 'the client likes it'",
  "runs request-changes": "signoff runs request-changes 3fa85f64 --comment 'name the material'",
  "runs edit": "signoff runs edit 3fa85f64 --text 'Refill. Roam. Repeat.'",
  "runs export": "signoff runs export 3fa85f64 --format csv -o turns.csv",
  "runs stats": "signoff runs stats --since 30d",
  "runs prune": "signoff runs prune --older-than 90d --keep-accepted",
  "runs delete": "signoff runs delete 3fa85f64",
  "inbox list": "signoff inbox list --json",
  studio: ["signoff studio --open", "signoff studio --port 0 --print-url"],
  doctor: "signoff doctor --repair",
  models: ["signoff models", "signoff models --base-url http://gpu:11434 --json"],
  config: ["signoff config show", "signoff config set drafting.max_turns 3"],
  "config show": "signoff config show drafting",
  "config set": "signoff config set models.writer ollama/mistral",
  "config path": '"$EDITOR" "$(signoff config path)"',
  "recipes list": "signoff recipes list --json",
  "recipes show": "signoff recipes show slogan > signoff/recipes/tagline.md",
  "recipes check": "signoff recipes check signoff/recipes/tagline.md",
  trust: [
    "signoff trust",
    "signoff trust --yes",
    "signoff trust --manifest examples/stage/stage.yaml",
  ],
  store: ["signoff store size", "signoff store backup ../signoff-friday.db"],
  "store size": "signoff store size --json",
  "store backup": "signoff store backup ../signoff-friday.db",
  "store restore": "signoff store restore ../signoff-friday.db",
  "store recover": "signoff store recover",
  "store check": "signoff store check",
  "store migrate": "signoff store migrate --grant signoff_worker",
  "store copy": "signoff store copy --from .signoff/signoff.db --to database",
  completion: [
    "signoff completion bash >> ~/.bashrc",
    `signoff completion zsh > "\${fpath[1]}/_signoff"`,
    "signoff completion fish > ~/.config/fish/completions/signoff.fish",
  ],
};

/** Adds the examples below the help of each command. */
export function addHelpExamples(program: Command): void {
  for (const [words, given] of Object.entries(examples)) {
    const lines = typeof given === "string" ? [given] : given;
    const title = lines.length === 1 ? "Example" : "Examples";
    const text = `\n${title}:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
    findCommand(program, words.split(" "))?.addHelpText("after", text);
  }
}

function findCommand(from: Command, words: readonly string[]): Command | undefined {
  const [word, ...rest] = words;
  if (word === undefined) return from;
  const next = from.commands.find((command) => command.name() === word);
  return next === undefined ? undefined : findCommand(next, rest);
}
