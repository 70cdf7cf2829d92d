import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { counterNames, gaugeNames, histogramNames } from "../../ports/metrics.ts";
import { createPrometheusMetrics } from "./prometheus-metrics.ts";

const manual = readFileSync(new URL("../../../docs/telemetry.md", import.meta.url), "utf8");
const documented = [...manual.matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) \|/gmu)].map(
  ([, name = "", type = "", labels = ""]) => ({
    ...{ name, type },
    labels: [...labels.matchAll(/\w+/gu)].map(([label]) => label),
  }),
);

it("has the metrics of the manual, with their types", async () => {
  const text = await createPrometheusMetrics().text();
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gmu)].map(([, name, type]) => [name, type]);
  expect(Object.fromEntries(documented.map(({ name, type }) => [name, type]))).toEqual(
    Object.fromEntries(types),
  );
  const names = [...counterNames, ...histogramNames, ...gaugeNames];
  expect(documented.map(({ name }) => name).sort()).toEqual([...names].sort());
});

it.each(documented.filter(({ type }) => type === "counter"))(
  "counts $name by the labels of the manual",
  async ({ name, labels }) => {
    const metrics = createPrometheusMetrics();
    const given = Object.fromEntries(labels.map((label) => [label, "x"]));
    metrics.count(name as (typeof counterNames)[number], 1, given);
    expect(await metrics.text()).toContain(`${name}{${labels.map((l) => `${l}="x"`).join(",")}} 1`);
    const other = { ...given, another: "x" };
    expect(() => metrics.count(name as (typeof counterNames)[number], 1, other)).toThrow();
  },
);
