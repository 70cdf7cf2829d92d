import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ask, Refused } from "../../api/client.ts";
import { models, recipes } from "../../api/queries.ts";
import { plural } from "../../design/amounts.ts";
import { May } from "../../design/may.tsx";
import { PageTitle } from "../../design/page-title.tsx";
import { Failure } from "../../design/states.tsx";
import styles from "./new-draft.module.css";
import { type Material, MaterialField, TextField } from "./text-fields.tsx";

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

interface Wish {
  readonly brief: string;
  readonly own: string;
  readonly isReviewOnly: boolean;
  readonly material: readonly Material[];
  readonly recipe: string;
  readonly model: string;
  readonly maxTurns: string;
  readonly candidates: string;
}

const nothingYet: Wish = {
  ...{ brief: "", own: "", isReviewOnly: false, material: [] },
  ...{ recipe: "slogan", model: "", maxTurns: "", candidates: "1" },
};

function NewDraft() {
  const [wish, setWish] = useState(nothingYet);
  const set = (change: Partial<Wish>): void => setWish((before) => ({ ...before, ...change }));
  const start = useStart(wish);
  const hasOwn = wish.own.trim() !== "";
  const canStart = (hasOwn || wish.brief.trim() !== "") && !start.isPending;
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        if (canStart) start.mutate();
      }}
    >
      <div className="inside stack">
        <TextField
          label="What is it about?"
          value={wish.brief}
          onChange={(brief) => set({ brief })}
          isRequired={!hasOwn}
          placeholder="a refillable water bottle made from ocean plastic, for people who hike"
        >
          {hasOwn && "Optional with a text of your own."}
        </TextField>
        <RecipeChoice value={wish.recipe} onChange={(recipe) => set({ recipe })} />
        <ModelChoice value={wish.model} onChange={(model) => set({ model })} />
        <OwnText wish={wish} onChange={set} />
        <div className={`row ${styles.even}`}>
          <NumberField
            label="Max turns"
            value={wish.maxTurns}
            most={10}
            onChange={(maxTurns) => set({ maxTurns })}
          />
          <NumberField
            label="Drafts per turn"
            value={wish.candidates}
            most={8}
            onChange={(candidates) => set({ candidates })}
          />
        </div>
        {start.error !== null && <Failure error={start.error} />}
        <div>
          <button type="submit" className="button primary" disabled={!canStart}>
            {start.isPending ? "Starting…" : actionOf(wish, hasOwn)}
          </button>
        </div>
      </div>
    </form>
  );
}

function actionOf({ isReviewOnly }: Wish, hasOwn: boolean): string {
  if (!hasOwn) return "Write and review";
  return isReviewOnly ? "Review my text" : "Review and improve my text";
}

/** What a draft can start from besides its brief. */
function OwnText({
  wish,
  onChange,
}: {
  readonly wish: Wish;
  readonly onChange: (change: Partial<Wish>) => void;
}) {
  return (
    <details>
      <summary>Start from your own text, or add material</summary>
      <div className="stack">
        <TextField label="Your text" value={wish.own} onChange={(own) => onChange({ own })}>
          It is reviewed first and rewritten only if the reviewers ask for changes.
        </TextField>
        <label className="row">
          <input
            type="checkbox"
            checked={wish.isReviewOnly}
            onChange={({ target }) => onChange({ isReviewOnly: target.checked })}
          />
          Only review it, once
        </label>
        <MaterialField value={wish.material} onChange={(material) => onChange({ material })} />
      </div>
    </details>
  );
}

/** The same form sent twice is one draft, whatever the network did in between. */
function useStart(wish: Wish) {
  const navigate = useNavigate();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const { brief, own, isReviewOnly, material, recipe, model, maxTurns, candidates } = wish;
  const body = {
    ...(brief.trim() === "" ? {} : { brief }),
    ...(own.trim() === "" ? {} : { from: own, review_only: isReviewOnly }),
    ...(material.length === 0 ? {} : { context: [...material] }),
    recipe,
    ...(model === "" ? {} : { model }),
    ...(maxTurns === "" ? {} : { max_turns: Number(maxTurns) }),
    candidates: Number(candidates),
  };
  return useMutation({
    mutationFn: () => ask("POST /api/v1/drafts", { body }, { "idempotency-key": key }),
    onSuccess: ({ run_id }) => navigate({ to: "/drafts/$run", params: { run: run_id } }),
    onError: (error) => {
      if (error instanceof Refused && error.status === 409) setKey(crypto.randomUUID());
    },
  });
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
