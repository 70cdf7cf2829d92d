import { defined } from "../../../domain/values/defined.ts";
import type { Json } from "../../../domain/values/json.ts";
import {
  type Delivery,
  ITEMS,
  LAST_DAY,
  lastDelivery,
  SUPPLIERS,
  salesIn,
  stockOf,
} from "./shop.ts";

export const answerDefects = ["carryover", "temporal", "direct-answer", "garbage"] as const;

type Intent =
  | "stock_list"
  | "stock_quantity"
  | "supplier_lookup"
  | "supplier_city"
  | "delivery_date"
  | "sales_quantity"
  | "revenue";

/** What a session remembers between two questions. */
export interface ShopScope {
  readonly item?: string;
  readonly day?: string;
  readonly month?: string;
  readonly supplier?: string;
  readonly intent?: Intent;
}

export interface ShopAnswer {
  readonly text: string;
  readonly replyType: "factual" | "clarification_required";
  readonly debug: { readonly [name: string]: Json };
  readonly scope: ShopScope;
}

const INTENTS: readonly (readonly [Intent, RegExp])[] = [
  ["revenue", /revenue|turnover|earn/],
  ["sales_quantity", /\bs(?:old|ell|ales)\b/],
  ["supplier_city", /\b(?:city|based|address)\b/],
  ["supplier_lookup", /suppl|who delivered/],
  ["delivery_date", /\bwhen\b.*\bdeliver|last delivery/],
  ["stock_quantity", /how many|how much/],
  ["stock_list", /\bstock\b/],
];

const MONTHS = ["january", "february", "march", "april", "may", "june"];

/** Answers one question from the shop's books, with the scope of the questions before it. */
export function answerShopQuestion(
  question: string,
  before: ShopScope,
  defects: ReadonlySet<string>,
): ShopAnswer {
  const asked = question.toLowerCase();
  const intent = INTENTS.find(([, pattern]) => pattern.test(asked))?.[0] ?? followUp(asked, before);
  const scope = scopeOf(asked, before, defects);
  const found = intent === undefined ? undefined : ANSWERS[intent](scope);
  if (intent === undefined || found === undefined) {
    return {
      text: "Which item, date or month do you mean?",
      replyType: "clarification_required",
      debug: payload("unknown", scope, { fallback_type: "unknown_question" }),
      scope: before,
    };
  }
  const next = { ...scope, ...found.scope, intent };
  return {
    text: spoil(found.text, defects),
    replyType: "factual",
    debug: payload(intent, next, { entries: found.entries }),
    scope: next,
  };
}

function followUp(asked: string, before: ShopScope): Intent | undefined {
  return /^and\b|\bit\b|\bthat\b/.test(asked) ? before.intent : undefined;
}

function scopeOf(asked: string, before: ShopScope, defects: ReadonlySet<string>): ShopScope {
  const temporal = defects.has("temporal");
  const remembered = defects.has("carryover") && before.item !== undefined ? ITEMS[3] : before.item;
  const item = ITEMS.find((name) => asked.includes(name.toLowerCase())) ?? remembered;
  const askedMonth = monthIn(asked);
  const month = temporal && askedMonth !== undefined ? "2024-06" : (askedMonth ?? before.month);
  const day = temporal ? LAST_DAY : (/\d{4}-\d{2}-\d{2}/.exec(asked)?.[0] ?? before.day);
  const named = Object.keys(SUPPLIERS).find((name) => asked.includes(name.toLowerCase()));
  return defined({ item, day, month, supplier: named ?? before.supplier });
}

function monthIn(asked: string): string | undefined {
  const numeric = /\b(\d{4}-\d{2})\b(?!-)/.exec(asked)?.[1];
  const named = MONTHS.findIndex((name) => new RegExp(`\\b${name}\\b`).test(asked));
  return numeric ?? (named < 0 ? undefined : `2024-${String(named + 1).padStart(2, "0")}`);
}

interface Found {
  readonly text: string;
  readonly entries: readonly Json[];
  readonly scope?: ShopScope;
}

const ANSWERS: { readonly [intent in Intent]: (scope: ShopScope) => Found | undefined } = {
  stock_list: ({ day = LAST_DAY }) => {
    const all = ITEMS.map((item) => ({ item, quantity: stockOf(item, day) }));
    const rows = all.filter(({ quantity }) => quantity > 0);
    const lines = rows.map((row) => `- ${row.item}: ${row.quantity} pieces`);
    return {
      text: [`On ${day} there are ${rows.length} items in stock.`, ...lines].join("\n"),
      entries: rows,
      scope: { day, ...defined({ item: rows[0]?.item }) },
    };
  },
  stock_quantity: ({ item, day = LAST_DAY }) => {
    if (item === undefined) return undefined;
    const quantity = stockOf(item, day);
    const text = `${quantity} pieces of ${item} were in stock on ${day}.`;
    return { text, entries: [{ item, quantity }], scope: { day } };
  },
  supplier_lookup: (scope) =>
    delivered(
      scope,
      ({ item, supplier, date, quantity }) =>
        `${supplier} supplied the ${item}.\nLast delivery: ${date}, ${quantity} pieces.`,
    ),
  supplier_city: ({ supplier = "" }) => {
    const city = SUPPLIERS[supplier];
    if (city === undefined) return undefined;
    return { text: `${supplier} is based in ${city}.`, entries: [{ supplier, city }] };
  },
  delivery_date: (scope) =>
    delivered(scope, ({ item, date }) => `${item} was last delivered on ${date}.`),
  sales_quantity: ({ item, month }) => {
    if (month === undefined) return undefined;
    const rows = salesIn(month, item);
    const sold = rows.reduce((sum, row) => sum + row.quantity, 0);
    const what = item === undefined ? "" : ` of ${item}`;
    return { text: `${sold} pieces${what} were sold in ${month}.`, entries: copied(rows) };
  },
  revenue: ({ month }) => {
    const rows = salesIn(month ?? "", undefined);
    const amount = rows.reduce((sum, row) => sum + row.amount, 0);
    const when = month === undefined ? "of the half-year" : `in ${month}`;
    return { text: `The revenue ${when} was ${amount} euros.`, entries: copied(rows) };
  },
};

function delivered(
  { item = "", day = LAST_DAY }: ShopScope,
  say: (delivery: Delivery) => string,
): Found | undefined {
  const delivery = lastDelivery(item, day);
  if (delivery === undefined) return undefined;
  const { supplier } = delivery;
  return { text: say(delivery), entries: [{ ...delivery }], scope: { supplier } };
}

function copied(rows: readonly object[]): readonly Json[] {
  return rows.map((row) => ({ ...row }));
}

function payload(intent: string, scope: ShopScope, more: { readonly [name: string]: Json }) {
  const { item, day, month, supplier } = scope;
  return {
    detected_mode: "shop_query",
    detected_intent: intent,
    selected_recipe: `${intent}_from_books`,
    capability_id: `shop.${intent}`,
    result_mode: "confirmed",
    fallback_type: "none",
    extracted_filters: {
      ...defined({ item, as_of_date: day, period: month, supplier }),
    },
    state_objects: ["answer_object", ...(item === undefined ? [] : ["focus_object"])],
    semantic_memory: {
      ...defined({ focus_object: item }),
      active_result_set_id: `${intent}:${item ?? "all"}:${day ?? month ?? "latest"}`,
    },
    ...more,
  };
}

function spoil(text: string, defects: ReadonlySet<string>): string {
  const buried = defects.has("direct-answer")
    ? `I looked through deliveries and sales for you.\nSeveral records were compared.\n${text}`
    : text;
  return defects.has("garbage") ? `runtime_plan planner_v2 query_movements\n${buried}` : buried;
}
