import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import { RUN_OUTCOMES } from "../../src/domain/scenarios/run-outcome.ts";
import { ago } from "../design/amounts.ts";
import { Loading } from "../design/states.tsx";
import { Term } from "../design/term.tsx";
import { type PackSteps, packStepsOf } from "../pages/packs/pack-queries.ts";
import styles from "./figure.module.css";
import { Figure } from "./figure.tsx";

/** Each status has its own colour, in the picture and in the legend. */
const tones = [
  ["accepted", "good"],
  ["partial", "wait"],
  ["needs_exact_capability", "busy"],
  ["blocked", "bad"],
] as const;

/** On average with room to spare, in pixels; whole names are in the tooltip and in the table. */
const widthOfLetter = 8;

/** Each step of a pack in its latest runs; a cell opens that step of that run. */
export function StepHeatMap({ pack }: { readonly pack: string }) {
  const { data, isPending } = useQuery(packStepsOf(pack));
  const draw = useCallback<React.ComponentProps<typeof Figure>["draw"]>(
    (plot, width) => {
      const order = data?.runs.map(({ run_id }) => run_id) ?? [];
      const cells = (data?.steps ?? []).flatMap((step) =>
        step.statuses.map(({ run_id, status }) => ({
          ...{ run: run_id, status, name: nameOf(step) },
          to: placeOf(pack, run_id, step),
        })),
      );
      const names = (data?.steps ?? []).map(nameOf);
      const marginLeft = Math.min(330, width * 0.4);
      const fits = Math.floor(marginLeft / widthOfLetter);
      return {
        ...{
          height: 60 + names.length * 20,
          marginLeft,
          marginBottom: 40,
        },
        x: {
          ...{ label: "Run, oldest first", domain: order, type: "band" as const },
          tickFormat: (run: string) => String(order.indexOf(run) + 1),
        },
        y: {
          ...{ label: null, domain: names, type: "band" as const },
          tickFormat: (name: string) => (name.length > fits ? `${name.slice(0, fits - 1)}…` : name),
        },
        color: {
          domain: tones.map(([status]) => status),
          range: tones.map(([, tone]) => `var(--${tone})`),
        },
        marks: [
          plot.cell(cells, { x: "run", y: "name", fill: "status", inset: 1.5, rx: 3 }),
          plot.tip(
            cells,
            plot.pointer({
              ...{ x: "run", y: "name" },
              title: ({ name, run, status }: (typeof cells)[number]) =>
                `${name}\nrun ${order.indexOf(run) + 1}: ${RUN_OUTCOMES[status].words}`,
            }),
          ),
        ],
      };
    },
    [data, pack],
  );
  if (isPending) return <Loading />;
  if (data === undefined || data.runs.length < 2) return null;
  return (
    <section className="card" aria-label="Steps by run">
      <header>
        <h2>Steps by run</h2>
        <span className="row soft">
          {tones.map(([status, tone]) => (
            <span key={status} className="row">
              <span className={styles.swatch} style={{ background: `var(--${tone})` }} />
              {RUN_OUTCOMES[status].words}
            </span>
          ))}
        </span>
      </header>
      <div className="inside stack">
        <Flaky steps={data.steps} />
        <Figure
          caption="Each row is a step, each column a run"
          draw={draw}
          table={<StepTable pack={pack} data={data} />}
        />
      </div>
    </section>
  );
}

const mostNamed = 4;

function Flaky({ steps }: { readonly steps: PackSteps["steps"] }) {
  const flaky = steps.filter((step) => step.flaky);
  if (flaky.length === 0) return null;
  return (
    <p>
      <span className="badge wait">
        <Term of="flaky" />
      </span>{" "}
      {flaky.slice(0, mostNamed).map(nameOf).join(", ")}
      {flaky.length > mostNamed && ` and ${flaky.length - mostNamed} more`}
    </p>
  );
}

function StepTable({ pack, data }: { readonly pack: string; readonly data: PackSteps }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Step</th>
          {data.runs.map(({ run_id, started_at }, at) => (
            <th key={run_id} scope="col" title={started_at === null ? "" : ago(started_at)}>
              {at + 1}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {data.steps.map((step) => (
          <tr key={nameOf(step)}>
            <th scope="row">{nameOf(step)}</th>
            {data.runs.map(({ run_id }) => {
              const found = step.statuses.find((one) => one.run_id === run_id);
              return (
                <td key={run_id}>
                  {found !== undefined && (
                    <Link {...placeOf(pack, run_id, step)}>{RUN_OUTCOMES[found.status].words}</Link>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Step = { readonly scenario_id: string; readonly step_id: string; readonly title: string };

function nameOf({ scenario_id, title }: Step): string {
  return `${title} (${scenario_id})`;
}

function placeOf(pack: string, run: string, { scenario_id, step_id }: Step) {
  return {
    to: "/packs/$pack/runs/$run",
    params: { pack, run },
    search: { scenario: scenario_id, step: step_id },
  } as const;
}
