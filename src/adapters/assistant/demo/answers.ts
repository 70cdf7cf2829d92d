import { defined } from "../../../domain/values/defined.ts";
import type { Json } from "../../../domain/values/json.ts";
import { ITEMS, LAST_DAY, lastDelivery, SALES, SUPPLIERS, salesIn, stockOf } from "./shop.ts";

export const ANSWER_DEFECTS = ["carryover", "temporal", "direct-answer", "garbage"] as const;

export type AnswerDefect = (typeof ANSWER_DEFECTS)[number];

type Intent =
  | "stock_list"
  | "stock_quantity"
  | "supplier_lookup"
  | "supplier_city"
  | "delivery_date"
  | "sales_quantity"
  | "revenue";

/** What a session remembers between two questions. */
export interface Scope {
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
  readonly scope: Scope;
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
export function answerQuestion(
  question: string,
  before: Scope,
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
    debug: payload(intent, next, { entries: found.entries, ...found.debug }),
    scope: next,
  };
}

function followUp(asked: string, before: Scope): Intent | undefined {
  return /^and\b|\bit\b|\bthat\b/.test(asked) ? before.intent : undefined;
}

function scopeOf(asked: string, before: Scope, defects: ReadonlySet<string>): Scope {
  const item = ITEMS.find((name) => asked.includes(name.toLowerCase()));
  const remembered = defects.has("carryover") && before.item !== undefined ? ITEMS[3] : before.item;
  const day = /\d{4}-\d{2}-\d{2}/.exec(asked)?.[0];
  const month = monthIn(asked);
  const supplier = Object.keys(SUPPLIERS).find((name) => asked.includes(name.toLowerCase()));
  const temporal = defects.has("temporal");
  const chosenDay = temporal ? LAST_DAY : (day ?? before.day);
  const chosenMonth = temporal && month !== undefined ? "2024-06" : (month ?? before.month);
  const chosenItem = item ?? remembered;
  const chosenSupplier = supplier ?? before.supplier;
  return {
    ...defined({ item: chosenItem, day: chosenDay, month: chosenMonth, supplier: chosenSupplier }),
  };
}

function monthIn(asked: string): string | undefined {
  const numeric = /\b(\d{4}-\d{2})\b(?!-)/.exec(asked)?.[1];
  const named = MONTHS.findIndex((name) => new RegExp(`\\b${name}\\b`).test(asked));
  return numeric ?? (named < 0 ? undefined : `2024-${String(named + 1).padStart(2, "0")}`);
}

interface Found {
  readonly text: string;
  readonly entries: readonly Json[];
  readonly scope?: Scope;
  readonly debug?: { readonly [name: string]: Json };
}

const ANSWERS: { readonly [intent in Intent]: (scope: Scope) => Found | undefined } = {
  stock_list: ({ day = LAST_DAY }) => {
    const rows = ITEMS.map((item) => ({ item, quantity: stockOf(item, day) })).filter(
      (row) => row.quantity > 0,
    );
    const lines = rows.map((row) => `- ${row.item}: ${row.quantity} pieces`);
    return {
      text: [`On ${day} there are ${rows.length} items in stock.`, ...lines].join("\n"),
      entries: rows,
      scope: { day, ...(rows[0] === undefined ? {} : { item: rows[0].item }) },
    };
  },
  stock_quantity: ({ item, day = LAST_DAY }) =>
    item === undefined
      ? undefined
      : {
          text: `${stockOf(item, day)} pieces of ${item} were in stock on ${day}.`,
          entries: [{ item, quantity: stockOf(item, day) }],
          scope: { day },
        },
  supplier_lookup: ({ item, day = LAST_DAY }) => {
    const delivery = item === undefined ? undefined : lastDelivery(item, day);
    return delivery === undefined
      ? undefined
      : {
          text: `${delivery.supplier} supplied the ${delivery.item}.\nLast delivery: ${delivery.date}, ${delivery.quantity} pieces.`,
          entries: [{ ...delivery }],
          scope: { supplier: delivery.supplier },
        };
  },
  supplier_city: ({ supplier }) => {
    const city = supplier === undefined ? undefined : SUPPLIERS[supplier];
    return supplier === undefined || city === undefined
      ? undefined
      : { text: `${supplier} is based in ${city}.`, entries: [{ supplier, city }] };
  },
  delivery_date: ({ item, day = LAST_DAY }) => {
    const delivery = item === undefined ? undefined : lastDelivery(item, day);
    return delivery === undefined
      ? undefined
      : {
          text: `${delivery.item} was last delivered on ${delivery.date}.`,
          entries: [{ ...delivery }],
          scope: { supplier: delivery.supplier },
        };
  },
  sales_quantity: ({ item, month }) => {
    if (month === undefined) {
      return undefined;
    }
    const rows = salesIn(month, item);
    const sold = rows.reduce((sum, row) => sum + row.quantity, 0);
    return {
      text: `${sold} pieces${item === undefined ? "" : ` of ${item}`} were sold in ${month}.`,
      entries: rows.map((row) => ({ ...row })),
    };
  },
  revenue: ({ month }) => {
    const rows = SALES.filter((row) => month === undefined || row.date.startsWith(month));
    const amount = rows.reduce((sum, row) => sum + row.amount, 0);
    return {
      text: `The revenue ${month === undefined ? "of the half-year" : `in ${month}`} was ${amount} euros.`,
      entries: rows.map((row) => ({ ...row })),
    };
  },
};

function payload(intent: string, scope: Scope, more: { readonly [name: string]: Json }) {
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
