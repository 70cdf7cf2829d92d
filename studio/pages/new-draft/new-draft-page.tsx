import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ask, Refused } from "../../api/client.ts";
import { models, recipes } from "../../api/queries.ts";
import { plural } from "../../design/amounts.ts";
import { May } from "../../design/may.tsx";
import { PageTitle } from "../../design/page-title.tsx";
import { Failure } from "../../design/states.tsx";

const mostCharacters = 1_000;

export function NewDraftPage() {
  return (
    <div className="page narrow">
      <PageTitle>New draft</PageTitle>
      <May do="run">
        <NewDraft />
      </May>
    </div>
  );
}

function NewDraft() {
  const navigate = useNavigate();
  const [brief, setBrief] = useState("");
  const [recipe, setRecipe] = useState("slogan");
  const [model, setModel] = useState("");
  const [maxTurns, setMaxTurns] = useState("");
  const [candidates, setCandidates] = useState("1");
  // The same form sent twice is one draft, whatever the network did in between.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const start = useMutation({
    mutationFn: () =>
      ask(
        "POST /api/v1/drafts",
        {
          body: {
            brief,
            recipe,
            ...(model === "" ? {} : { model }),
            ...(maxTurns === "" ? {} : { max_turns: Number(maxTurns) }),
            candidates: Number(candidates),
          },
        },
        { "idempotency-key": key },
      ),
    onSuccess: ({ run_id }) => navigate({ to: "/drafts/$run", params: { run: run_id } }),
    onError: (error) => {
      if (error instanceof Refused && error.status === 409) setKey(crypto.randomUUID());
    },
  });
  const length = [...brief.trim()].length;
  const canStart = length > 0 && length <= mostCharacters && !start.isPending;
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        if (canStart) start.mutate();
      }}
    >
      <div className="inside stack">
        <label className="field">
          <span>What is it about?</span>
          <textarea
            required
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              const [file] = event.dataTransfer.files;
              if (file === undefined) return;
              event.preventDefault();
              void file.text().then(setBrief);
            }}
            value={brief}
            placeholder="a refillable water bottle made from ocean plastic, for people who hike"
            onChange={(event) => setBrief(event.target.value)}
          />
          <small className={length > mostCharacters ? "over" : ""}>
            {length} of {mostCharacters} characters. A text file can be dropped here.
          </small>
        </label>
        <RecipeChoice value={recipe} onChange={setRecipe} />
        <ModelChoice value={model} onChange={setModel} />
        <div className="row even">
          <NumberField label="Max turns" value={maxTurns} most={10} onChange={setMaxTurns} />
          <NumberField
            label="Drafts per turn"
            value={candidates}
            most={8}
            onChange={setCandidates}
          />
        </div>
        {start.error !== null && <Failure error={start.error} />}
        <div>
          <button type="submit" className="button primary" disabled={!canStart}>
            {start.isPending ? "Starting…" : "Write and review"}
          </button>
        </div>
      </div>
    </form>
  );
}

interface Choice {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function RecipeChoice({ value, onChange }: Choice) {
  const known = useQuery(recipes).data?.recipes ?? [];
  const chosen = known.find(({ id }) => id === value);
  return (
    <label className="field">
      <span>Recipe</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {known.length === 0 && <option value={value}>{value}</option>}
        {known.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      {chosen !== undefined && (
        <small>
          Up to {plural(chosen.max_turns, "turn")}
          {chosen.checks.length > 0 &&
            `; checked for ${chosen.checks.join(", ").replaceAll("_", " ")}`}
        </small>
      )}
    </label>
  );
}

function ModelChoice({ value, onChange }: Choice) {
  const { data } = useQuery(models);
  const isStandIn = data?.models.find(
    ({ name }) => name === (value || data.default_model),
  )?.stand_in;
  return (
    <label className="field">
      <span>Model</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{data?.default_model ?? "as configured"}</option>
        {(data?.models ?? [])
          .filter(({ name }) => name !== data?.default_model)
          .map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
      </select>
      {isStandIn === true && <small>A rule-based stand-in: works offline, costs nothing.</small>}
    </label>
  );
}

function NumberField({ label, value, most, onChange }: Choice & { label: string; most: number }) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="number"
        inputMode="numeric"
        min={1}
        max={most}
        placeholder="recipe default"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
