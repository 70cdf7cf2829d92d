import type { CommandFacts } from "../shell/command-tree.ts";

/** A script that knows every command and option of this version; completing a word runs nothing. */
export function renderCompletion(
  shell: "bash" | "zsh" | "fish",
  commands: readonly CommandFacts[],
): string {
  switch (shell) {
    case "bash":
      return bash(commands);
    case "zsh":
      return `#compdef signoff\nautoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;
    case "fish":
      return fish(commands);
  }
}

function bash(commands: readonly CommandFacts[]): string {
  const cases = commands.map(
    (command) => `    "${command.path.join(" ")}") words="${wordsOf(command).join(" ")}" ;;`,
  );
  const known = commands.filter(({ path }) => path.length > 0).map(({ path }) => path.join(" "));
  return `_signoff() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  local known=" ${known.map((path) => path.replaceAll(" ", "/")).join(" ")} "
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$known" in *" \${path:+\${path// //}/}$word "*) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _signoff signoff
`;
}

function wordsOf({ subcommands, options }: CommandFacts): readonly string[] {
  return [...subcommands, ...options.flatMap(({ names }) => names)];
}

function fish(commands: readonly CommandFacts[]): string {
  const lines = commands.flatMap((command) => {
    const { path, options } = command;
    const below = commands.filter(
      (other) => other.path.length === path.length + 1 && isUnder(other.path, path),
    );
    const names = below.map((other) => other.path.at(-1) ?? "");
    const here = condition(path, names);
    return [
      ...below.map(
        (other) =>
          `complete -c signoff -f -n ${here} -a ${quoted(other.path.at(-1) ?? "")} -d ${quoted(other.description)}`,
      ),
      ...options.map(({ names: flags, description }) => {
        const long = flags.find((name) => name.startsWith("--"));
        const short = flags.find((name) => /^-[^-]$/u.test(name));
        const spelled = [
          ...(long === undefined ? [] : [`-l ${long.slice(2)}`]),
          ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
        ];
        return `complete -c signoff -n ${here} ${spelled.join(" ")} -d ${quoted(description)}`;
      }),
    ];
  });
  return `${lines.join("\n")}\n`;
}

function isUnder(path: readonly string[], parent: readonly string[]): boolean {
  return parent.every((word, at) => path[at] === word);
}

function condition(path: readonly string[], below: readonly string[]): string {
  if (path.length === 0) return "__fish_use_subcommand";
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const deeper = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(" ")}`];
  return quoted([...seen, ...deeper].join("; and "));
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
