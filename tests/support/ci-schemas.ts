/**
 * Shapes of reports as their standards define them, for the members that Signoff writes. Unlike the originals they allow
 * no others, so that a misspelt member is found.
 */
function closed(required: readonly string[], properties: { readonly [name: string]: unknown }) {
  return { type: "object", required, properties, additionalProperties: false };
}

const text = { type: "string", minLength: 1 };
const message = closed(["text"], { text, markdown: text });
const level = { enum: ["none", "note", "warning", "error"] };

/** SARIF 2.1.0 (OASIS), §3.13 sarifLog to §3.52 reportingConfiguration. */
export const sarifSchema = closed(["version", "runs"], {
  $schema: { type: "string" },
  version: { const: "2.1.0" },
  runs: {
    type: "array",
    minItems: 1,
    items: closed(["tool", "results"], {
      tool: closed(["driver"], {
        driver: closed(["name", "rules"], {
          name: text,
          version: text,
          informationUri: text,
          rules: {
            type: "array",
            uniqueItems: true,
            items: closed(["id"], {
              id: text,
              name: { type: "string", pattern: "^[\\p{L}\\p{N}]+$" },
              shortDescription: message,
              fullDescription: message,
              help: message,
              defaultConfiguration: closed([], { level }),
              properties: closed([], {
                tags: { type: "array", uniqueItems: true, items: text },
              }),
            }),
          },
        }),
      }),
      automationDetails: closed([], { id: text }),
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      results: {
        type: "array",
        items: closed(["message"], {
          ruleId: text,
          ruleIndex: { type: "integer", minimum: 0 },
          level,
          message,
          locations: {
            type: "array",
            minItems: 1,
            items: closed([], {
              physicalLocation: closed(["artifactLocation"], {
                artifactLocation: closed([], { uri: { type: "string", pattern: "^[!-~]+$" } }),
                region: closed([], {
                  startLine: { type: "integer", minimum: 1 },
                  snippet: closed([], { text }),
                }),
              }),
            }),
          },
          partialFingerprints: { type: "object", additionalProperties: { type: "string" } },
          suppressions: {
            type: "array",
            uniqueItems: true,
            items: closed(["kind"], {
              kind: { enum: ["inSource", "external"] },
              status: { enum: ["accepted", "underReview", "rejected"] },
              justification: { type: "string" },
            }),
          },
          properties: { type: "object" },
        }),
      },
    }),
  },
});

/** Reviewdog's Diagnostic. */
export const diagnosticSchema = closed(["message", "location"], {
  message: text,
  location: closed(["path"], {
    path: text,
    range: closed(["start"], {
      start: closed([], { line: { type: "integer", minimum: 1 } }),
    }),
  }),
  severity: { enum: ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"] },
  source: closed([], { name: text, url: text }),
  code: closed([], { value: text, url: text }),
});

/** GitLab's code quality report. */
export const codeQualitySchema = {
  type: "array",
  items: closed(["description", "check_name", "fingerprint", "severity", "location"], {
    description: text,
    check_name: text,
    fingerprint: text,
    severity: { enum: ["info", "minor", "major", "critical", "blocker"] },
    location: closed(["path", "lines"], {
      path: { type: "string", pattern: "^(?!\\./|/)" },
      lines: closed(["begin"], { begin: { type: "integer", minimum: 1 } }),
    }),
  }),
};

/** Attributes of the elements in `junit-10.xsd`, the schema that Jenkins' xUnit plugin publishes and applies. */
export const junitAttributes: { readonly [element: string]: readonly string[] } = {
  testsuites: ["name", "time", "tests", "failures", "errors"],
  testsuite: [
    ...["name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp"],
    ...["hostname", "id", "package", "file", "log", "url"],
  ],
  testcase: ["name", "time", "classname", "group"],
  failure: ["type", "message"],
  error: ["type", "message"],
  skipped: ["type", "message"],
  "system-out": [],
  "system-err": [],
};
