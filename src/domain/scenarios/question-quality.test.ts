import { describe, expect, test } from "vitest";
import { DEFAULT_CHECK_RULES } from "./check-rules.ts";
import { type RunReview, reviewConversationQuestions, reviewRun } from "./conversation-review.ts";
import { NO_EXPECTATIONS, type Pack, type Scenario, type Step } from "./manifest.ts";
import { DEFAULT_QUESTION_THRESHOLDS, reviewQuestions } from "./question-quality.ts";
import { hasBusinessAnchor, isDirectQuestion, looksLikeMojibake } from "./question-shape.ts";
import { CHECKED_SHAPES } from "./visible-checks.ts";

function step(stepId: string, question: string, change: Partial<Step> = {}): Step {
  const expectations = { ...NO_EXPECTATIONS, requiredAnswerShape: "direct_answer" };
  return {
    stepId,
    title: stepId,
    question,
    dependsOn: [],
    criticality: "critical",
    expectations,
    semanticTags: [],
    ...change,
  };
}

function pack(...steps: readonly Step[]): Pack {
  const scenario = {
    scenarioId: "stock_chain",
    domain: "stock",
    title: "Stock",
    description: "",
    bindings: {},
    analysisContext: {},
    steps,
  };
  return {
    packId: "shop",
    domain: "shop",
    title: "Shop",
    bindings: { day: "2024-03-31" },
    scenarios: [scenario],
  };
}

const rules = {
  thresholds: DEFAULT_QUESTION_THRESHOLDS,
  locale: "en" as const,
  outputDir: "artifacts/domain_runs/shop",
  checkedShapes: CHECKED_SHAPES,
};
const codes = (one: Pack, change = {}) =>
  reviewQuestions(one, { ...rules, ...change }).problems.map((problem) => problem.code);

const strong = pack(
  step("stock", "How many oak desks were in stock on {{bindings.day}}?"),
  step("supplier", "Who supplied {{stock.entries[0].item}}?", { dependsOn: ["stock"] }),
  step("list", "List the sales of the Pine lamp"),
);

test("a chain of anchored questions is strong", () => {
  const review = reviewQuestions(strong, rules);
  expect(review.problems).toEqual([
    {
      code: "follow_up_density",
      level: "warning",
      place: "pack",
      message: "33 % follow-ups, wanted 40 %",
    },
  ]);
  expect(
    reviewQuestions(strong, { ...rules, thresholds: { ...rules.thresholds, followUpShare: 0.3 } })
      .rating,
  ).toBe("strong");
  expect(review.measures).toMatchObject({ questions: 3, weakAnchors: 0, canaries: 0 });
});

test("exactly the wanted share of follow-ups is enough", () => {
  const thresholds = { ...rules.thresholds, followUpShare: 1 / 3 };
  expect(codes(strong, { thresholds })).toEqual([]);
});

test("only a question that opens a subject needs an anchor", () => {
  const mixed = pack(
    step("bare", "what is there"),
    step("anchored", "How many chairs were sold on {{bindings.day}}?"),
    step("follow_up", "Who supplied it?"),
  );
  expect(reviewQuestions(mixed, rules).measures.weakAnchors).toBe(1);
});

test("questions that share letters and few words are different questions", () => {
  const asked = pack(
    step("a", "Which lamps sold best?"),
    step("b", "Whose bells damp this pitch?"),
  );
  expect(codes(asked)).not.toContain("near_duplicate");
});

describe("each defect is named", () => {
  test.each<[string, Pack]>([
    [
      "duplicate",
      pack(step("a", "Who supplied the Oak desk?"), step("b", "who supplied the oak desk")),
    ],
    [
      "near_duplicate",
      pack(
        step("a", "who in the town near the lake did supply the big oak desk"),
        step("b", "who in the town near the lake did supply the big oak desk then"),
      ),
    ],
    [
      "dependency_order",
      pack(step("a", "Who supplied it?", { dependsOn: ["b"] }), step("b", "What is in stock?")),
    ],
    [
      "invalid_placeholder",
      pack(step("a", "Who supplied {{b.item}}?"), step("b", "What is in stock?")),
    ],
    ["invalid_placeholder", pack(step("a", "Who supplied {{bindings.item}}?"))],
    ["invalid_placeholder", pack(step("a", "Who supplied {{bindings.day?"))],
    ["duplicate_id", pack(step("a", "Who supplied it?"), step("A", "What is in stock?"))],
    ["reserved_id", pack(step("bindings", "What is in stock?"))],
    ["mojibake", pack(step("a", "РЎРєРѕР»СЊРєРѕ С‚РѕРІР°СЂР°?"))],
    ["no_questions", pack()],
  ])("%s", (code, one) => {
    const review = reviewQuestions(one, rules);
    expect(review.problems.map((problem) => problem.code)).toContain(code);
  });

  test("a question asked three times is two problems, each beside the first", () => {
    const same = ["a", "b", "c"].map((id) => step(id, "Who supplied the Oak desk?"));
    const problems = reviewQuestions(pack(...same), rules).problems.filter(
      ({ code }) => code === "duplicate",
    );
    expect(problems.map(({ place, message }) => `${place} ${message}`)).toEqual([
      expect.stringMatching(/b asks the same as .*a$/),
      expect.stringMatching(/c asks the same as .*a$/),
    ]);
  });

  test.each<[string, Pack]>([
    ["direct_share", pack(step("a", "Who supplied the Desk?"), step("b", "What did it cost?"))],
    ["direct_share", pack(step("a", "Tell me of the Desk"), step("b", "And of it?"))],
    ["report_share", pack(step("a", "Compare Desks"), step("b", "What did it cost?"))],
    [
      "domain_coverage",
      pack(...Array.from({ length: 10 }, (_, at) => step(`s${at}`, `Desk ${at}?`))),
    ],
  ])("%s of the whole pack", (code, one) => {
    expect(codes(one)).toContain(code);
  });

  test("five kinds of warnings make a pack weak, four do not", () => {
    const bare = { expectations: NO_EXPECTATIONS };
    const many = pack(
      step("a", "Who supplied the Oak desk?", bare),
      step("b", "Who supplied the Oak desk?", bare),
    );
    const kinds = ["follow_up_density", "direct_share", "duplicate", "direct_answer_shape"];
    expect([...new Set(codes(many))]).toEqual(kinds);
    expect(reviewQuestions(many, rules).rating).toBe("usable");
    const thresholds = { ...rules.thresholds, pathWarn: 20 };
    expect(reviewQuestions(many, { ...rules, thresholds }).rating).toBe("weak");
  });

  test("errors make the pack weak", () => {
    expect(reviewQuestions(pack(step("a", "Who supplied {{b.item}}?")), rules).rating).toBe("weak");
  });

  test("direct questions without a declared answer, unverified shapes, long paths", () => {
    expect(codes(pack(step("a", "Who supplied it?", { expectations: NO_EXPECTATIONS })))).toContain(
      "direct_answer_shape",
    );
    expect(
      codes(
        pack(
          step("a", "Who supplied it?", {
            expectations: { ...NO_EXPECTATIONS, requiredAnswerShape: "sonnet" },
          }),
        ),
      ),
    ).toContain("unchecked_shape");
    const long = reviewQuestions(strong, { ...rules, outputDir: `C:/${"deep/".repeat(50)}` });
    expect(
      long.problems
        .filter((problem) => problem.code === "path_length")
        .map((problem) => problem.level),
    ).toEqual(["error", "error", "error"]);
  });
});

test("a large pack without a canary is usable at best, and one with a changed scope has it", () => {
  const filters = (day: string) => ({
    ...NO_EXPECTATIONS,
    requiredAnswerShape: "number",
    requiredFilters: { as_of_date: [day] },
  });
  const many = Array.from({ length: 10 }, (_, index) =>
    step(`s${index}`, `How many of item ${index} and ${index * 7} are in stock?`, {
      expectations: filters("{{bindings.day}}"),
      semanticTags: [`tag${index}`],
    }),
  );
  expect(codes(pack(...many))).toContain("stale_scope_canary");
  const last = step("canary", "And on 2024-04-30?", { expectations: filters("2024-04-30") });
  const review = reviewQuestions(pack(...many.slice(1), last), rules);
  expect(review.measures.canaries).toBe(1);
  expect(review.problems.map((problem) => problem.code)).not.toContain("stale_scope_canary");
});

test("questions are read in the pack's language", () => {
  expect(isDirectQuestion("Сколько столов на складе?", "ru")).toBe(true);
  expect(isDirectQuestion("Wer lieferte den Tisch?", "de")).toBe(true);
  expect(isDirectQuestion("List all sales", "en")).toBe(false);
  expect(hasBusinessAnchor("what is there")).toBe(false);
  expect(looksLikeMojibake("Wie viele Tische gibt es für Müller, 桌子 и стол?")).toBe(false);
});

const pair = (pairId: string, question: string, answer: string) => ({
  pairId,
  sessionId: "s1",
  question,
  answer,
});
const how = {
  rules: DEFAULT_CHECK_RULES,
  matches: (pattern: string, text: string) => new RegExp(pattern, "iu").test(text),
  locale: "en" as const,
  fileHints: {},
  scenarios: [],
  isUsable: () => true,
};
const played = (scenarioId: string, ...steps: readonly Step[]): Scenario => ({
  ...{ scenarioId, domain: scenarioId, title: scenarioId, description: "", analysisContext: {} },
  bindings: { day: "2024-03-31" },
  steps,
});
const expecting = (pattern: string) => ({
  expectations: { ...NO_EXPECTATIONS, requiredAnswerPatternsAll: [pattern] },
});

test.each([
  ["p0", pair("1", "Who supplied the desk?", "Here is the supplier:\n- Nordholz")],
  ["p1", pair("1", "Who supplied the desk?", "Sure, it was Nordholz.")],
  ["clean", pair("1", "Who supplied the desk?", "Nordholz supplied it.")],
])("an imported run is %s by its visible answers", (status, one) => {
  expect(reviewRun("gui-7", [one], how).overallStatus).toBe(status);
});

test.each([
  ["# Supplier\nNordholz", true],
  ["###### Supplier\nNordholz", true],
  ["```\nNordholz\n```", true],
  ["The supplier:\nNordholz", true],
  ["#1 is Nordholz.", false],
  ["Nordholz, by order # 7.", false],
  ["Nordholz, at 10:30.", false],
  ["Nordholz, listed as ```N-1```.", false],
])("line 1 of %j only announces the answer: %s", (answer, isMissing) => {
  const review = reviewRun("gui-7", [pair("1", "Who supplied the desk?", answer)], how);
  const found = review.pairs[0]?.findings.map(({ invariant }) => invariant);
  expect(found?.includes("direct_answer_first")).toBe(isMissing);
});

test("an imported run without a conversation is not clean", () => {
  expect(reviewRun("gui-7", [], how).overallStatus).toBe("p0");
});

test("a known question lends its expectations to an imported answer", () => {
  const known = step("who", "Who supplied the desk?", {
    expectations: { ...NO_EXPECTATIONS, requiredDirectAnswerPatternsAny: ["nordholz"] },
  });
  const review = reviewRun("gui-7", [pair("1", "who supplied the DESK", "Acme did.")], {
    ...how,
    scenarios: [played("suppliers", known)],
  });
  expect(review.counts).toEqual({ P0: 1, P1: 0, P2: 0 });
  expect(review.repairTargets[0]?.problemType).toBe("direct_answer_gap");
  expect(review.pairs[0]?.step).toEqual({ scenarioId: "suppliers", stepId: "who" });
});

describe("an imported question is matched by its conversation", () => {
  const scenarios = [
    played(
      "march",
      step("stock", "Stock on {{bindings.day}}?"),
      step("then", "And then?", expecting("42")),
    ),
    played("desks", step("desks", "How many desks?"), step("then", "And then?", expecting("7"))),
  ];
  const review = (...asked: readonly [string, string][]) =>
    reviewRun(
      "gui-7",
      asked.map(([question, answer], at) => pair(`${at}`, question, answer)),
      { ...how, scenarios },
    );
  const places = (reviewed: RunReview) =>
    reviewed.pairs.map(({ step }) => step && `${step.scenarioId}/${step.stepId}`);

  test("the same words after another question are another question", () => {
    const asked = review(["How many desks?", "9 desks."], ["And then?", "7 desks."]);
    expect(places(asked)).toEqual(["desks/desks", "desks/then"]);
    expect(asked.overallStatus).toBe("clean");
  });

  test("two scenarios may follow each other in a session", () => {
    const march: [string, string][] = [
      ["stock on 2024-03-31", "9"],
      ["and then", "42"],
    ];
    const asked = review(...march, ["How many desks?", "9 desks."], ["And then?", "42"]);
    expect(places(asked)).toEqual(["march/stock", "march/then", "desks/desks", "desks/then"]);
    expect(asked.counts.P0).toBe(1);
  });

  test.each<[string, [string, string][]]>([
    ["asked first", [["And then?", "42"]]],
    ["asked for another day", [["Stock on 2024-04-01?", "9"]]],
    [
      "asked after talk of something else",
      [
        ["Hello?", "Hi."],
        ["How many desks?", "9"],
      ],
    ],
  ])("a question %s is none of the pack's", (_, asked) => {
    expect(places(review(...asked)).every((place) => place === undefined)).toBe(true);
  });

  test("what an earlier answer put into a question may be anything, and is expected again", () => {
    const who = step(
      "who",
      "Who supplied {{list.entries[0].item}}?",
      expecting("{{list.entries[0].item}}"),
    );
    const withChain = { ...how, scenarios: [played("chain", step("list", "List them"), who)] };
    const chain = (answer: string) =>
      reviewRun(
        "gui-7",
        [pair("1", "List them", "- Oak desk"), pair("2", "Who supplied Oak desk?", answer)],
        withChain,
      );
    expect(places(chain("Nordholz supplied Oak desk."))).toEqual(["chain/list", "chain/who"]);
    expect(chain("Nordholz supplied Oak desk.").overallStatus).toBe("clean");
    expect(chain("Nordholz supplied the lamp.").overallStatus).toBe("p0");
  });
});

test("the questions of an imported run are measured", () => {
  const pairs = [
    pair("1", "what is there", "Desks."),
    pair("2", "And who supplied it?", "Nordholz."),
  ];
  const supplier = { ...step("who", "And who supplied it?"), semanticTags: ["followup"] };
  const scenarios = [
    played("suppliers", step("what", "What is there?"), supplier),
    played("sales", step("sold", "What was sold?")),
  ];
  expect(
    reviewConversationQuestions(pairs, { locale: "en", scenarios, isUsable: () => true }),
  ).toMatchObject({
    questions: 2,
    followUpShare: 0.5,
    directShare: 1,
    weakAnchors: ["1"],
    domains: 2,
  });
});
