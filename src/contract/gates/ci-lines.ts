import type { Json } from "../../domain/values/json.ts";
import { visibleLine } from "../../domain/values/visible.ts";
import { printableJson } from "../documents/json-text.ts";
import { type CiFinding, type CiReport, isOpen, ruleIdOf, withQuote } from "./ci-report.ts";

/** Workflow commands of GitHub Actions, one annotation a line. */
export function renderGitHub({ findings }: CiReport): string {
  return findings
    .filter(isOpen)
    .map((finding) => {
      const { note, level, line } = finding;
      const properties = [
        `file=${property(visibleLine(note))}`,
        `line=${line ?? 1}`,
        `title=${property(titleOf(finding))}`,
      ];
      const kind = level === "note" ? "notice" : level;
      return `::${kind} ${properties.join(",")}::${data(withMend(finding))}\n`;
    })
    .join("");
}

function titleOf({ gate, rule }: CiFinding): string {
  return gate === "" ? rule : `${gate}: ${rule}`;
}

function withMend(finding: CiFinding): string {
  const { mend } = finding;
  return mend === undefined ? withQuote(finding) : `${withQuote(finding)}\n${mend}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

const diagnosticSeverities = { error: "ERROR", warning: "WARNING", note: "INFO" } as const;

/** Reviewdog's diagnostic format, one JSON document a line. */
export function renderRdjsonl({ findings }: CiReport): string {
  return findings
    .filter(isOpen)
    .map((finding) => {
      const { note, line, level } = finding;
      const diagnostic: Json = {
        message: withMend(finding),
        location: { path: note, range: { start: { line: line ?? 1 } } },
        severity: diagnosticSeverities[level],
        source: { name: "signoff" },
        code: { value: ruleIdOf(finding) },
      };
      return printableJson(diagnostic);
    })
    .join("");
}

const qualitySeverities = { error: "major", warning: "minor", note: "info" } as const;

/** GitLab's code quality report; each entry needs a fingerprint of its own. */
export function renderCodeQuality({ findings }: CiReport): Json {
  const times = new Map<string, number>();
  return findings.filter(isOpen).map((finding) => {
    const { note, line, level, fingerprint } = finding;
    const seen = times.get(fingerprint) ?? 0;
    times.set(fingerprint, seen + 1);
    return {
      description: withQuote(finding),
      check_name: ruleIdOf(finding),
      fingerprint: seen === 0 ? fingerprint : `${fingerprint}-${seen + 1}`,
      severity: qualitySeverities[level],
      location: { path: note, lines: { begin: line ?? 1 } },
    };
  });
}
