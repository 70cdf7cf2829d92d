import type { SettingFlags } from "../../contract/config/setting-table.ts";
import { standInModel } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { AskedDraft } from "../../orchestration/drafting/plan-draft.ts";
import {
  draftRefused,
  frozenDraft,
  modelInProject,
  type PreparedDraft,
  prepareDraft,
} from "../../wiring/features/prepare-draft.ts";
import { loadRecipe } from "../../wiring/features/recipes.ts";
import type { LoadedSettings } from "../../wiring/settings/settings.ts";
import { readBudget } from "../shell/budget-flag.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { modelFlags } from "../shell/model-flags.ts";
import type { DraftFlags } from "./draft-flags.ts";
import type { GivenTexts } from "./read-brief.ts";
import { checkOutput, checkRecord } from "./save-session.ts";

export interface PlannedDraft extends PreparedDraft {
  readonly loaded: LoadedSettings;
}

export interface TypedDraft {
  readonly root: string;
  readonly texts: GivenTexts;
  readonly flags: DraftFlags;
  readonly reviewOnly?: boolean;
  /** Settings that were read before, with the same flags. */
  readonly loaded?: LoadedSettings;
}

/** Settings and request together: everything that is wrong with either is reported at once. */
export async function planDraftCommand(cli: CliContext, typed: TypedDraft): Promise<PlannedDraft> {
  const { flags, root } = typed;
  const problems = new Problems();
  const { output, record, json, budget: amounts } = flags;
  const budget = await problems.of(() => readBudget(amounts));
  await problems.of(() => output !== undefined && checkOutput(cli.cwd, output, json === true));
  await problems.of(() => record !== undefined && checkRecord(cli.cwd, record));
  const quiet = flags.quiet === true || json === true;
  const loaded = await problems.of(
    () => typed.loaded ?? settingsFor(cli, { root, flags: settingFlags(cli, typed), quiet }),
  );
  const candidates = await problems.of(() => numberOf("candidates", flags.candidates));
  const seed = await problems.of(() => numberOf("seed", flags.seed));
  const { recipe, approval, earlyStop, panel: panelRule } = flags;
  const asked: AskedDraft = {
    ...{ ...typed.texts, recipe, earlyStop },
    ...defined({ reviewOnly: typed.reviewOnly }),
    ...defined({ candidates, seed, approval, panelRule, budget }),
    ...defined({ reviewers: flags.reviewer?.map((text) => reviewerOf(cli, root, text)) }),
  };
  const prepared = await problems.of(() =>
    loaded === undefined
      ? checkWithoutSettings(root, asked)
      : prepareDraft({ root, ...loaded, isUnattended: !cli.screen.out.isTerminal }, asked),
  );
  problems.throwAny();
  if (loaded === undefined || prepared === undefined) throw draftRefused([]);
  return { ...prepared, loaded };
}

/** Finds further problems if the settings are invalid. */
async function checkWithoutSettings(root: string, asked: AskedDraft): Promise<undefined> {
  const { reviewers = [], recipe: _, budget: __, brief = "", ...rest } = asked;
  const panel = reviewers.map(({ label }) => ({ label, model: standInModel }));
  frozenDraft({
    ...{
      ...rest,
      brief,
      recipe: await loadRecipe(String(asked.recipe), root),
      writer: standInModel,
    },
    reviewers: panel.length === 0 ? [{ model: standInModel }] : panel,
  });
}

/** Collects problems, so that all are reported together. */
class Problems {
  readonly #found: { readonly error: ConfigurationError; readonly lines: readonly string[] }[] = [];

  async of<T>(read: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const lines = linesOf(error);
      if (lines === undefined) throw error;
      this.#found.push({ error, lines });
      return undefined;
    }
  }

  throwAny(): void {
    const [first, ...more] = this.#found;
    if (first === undefined) return;
    if (more.length === 0 && first.error.code !== "settings-invalid") throw first.error;
    throw draftRefused(this.#found.flatMap(({ lines }) => lines));
  }
}

/** The messages of an error that is reported together with others; `undefined` for one that ends the command. */
function linesOf({ code, facts, message }: ConfigurationError): readonly string[] | undefined {
  if (code === "flag-invalid" || code === "no-model") return [message.replace(/\.$/u, "")];
  if (code === "request-invalid") return facts.problems as readonly string[];
  return code === "settings-invalid" ? settingLines(facts.problems) : undefined;
}

function settingLines(problems: Json | undefined): readonly string[] {
  if (!Array.isArray(problems)) return [];
  return problems.map((each) => {
    const { name, source, message } = each as { name: string; source: string; message: string };
    return `${name || "the file"}${source === "flag" ? "" : ` (${source})`} ${message}`;
  });
}

function settingFlags(cli: CliContext, { root, flags }: TypedDraft): SettingFlags {
  const { baseUrl, maxTurns, temperature, maxTokens, timeout, totalTimeout, retries } = flags;
  return {
    ...modelFlags(cli, root, flags),
    ...defined({ baseUrl, maxTurns, temperature, maxTokens, timeout, totalTimeout, retries }),
  };
}

function reviewerOf({ cwd }: CliContext, root: string, text: string) {
  const at = text.indexOf("=");
  if (at < 0) return { label: text };
  return { label: text.slice(0, at), model: modelInProject(text.slice(at + 1), root, cwd) };
}

function numberOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^-?\d+$/u.test(text)) return Number(text);
  throw draftRefused([`${field} is "${text}"; use a whole number`]);
}
