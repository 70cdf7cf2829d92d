import { defined } from "../../../domain/values/defined.ts";
import type { Json } from "../../../domain/values/json.ts";
import {
  type Delivery,
  ITEMS,
  LAST_DAY,
  lastDelivery,
  SUPPLIERS,
  salesOf,
  stockOf,
} from "./shop.ts";

export const answerDefects = ["carryover", "temporal", "direct-answer", "garbage"] as const;

/** What a session remembers between two questions. */
export interface ShopScope {
  readonly item?: string;
  readonly day?: string;
  readonly month?: string;
  readonly supplier?: string;
  readonly intent?: string;
}

export interface ShopAnswer {
  readonly text: string;
  readonly replyType: "factual" | "clarification_required";
  readonly debug: { readonly [name: string]: Json };
  readonly scope: ShopScope;
}

interface Found {
  readonly text: string;
  readonly entries: readonly Json[];
  readonly scope?: ShopScope;
}

interface Intent {
  readonly asks: RegExp;
  readonly answer: (scope: ShopScope) => Found | undefined;
}

/** The first that recognises a question answers it. */
const INTENTS: { readonly [name: string]: Intent } = {
  revenue: {
    asks: /revenue|turnover|earn/,
    answer: ({ month }) => {
      const entries = salesOf(defined({ month }));
      const amount = entries.reduce((sum, row) => sum + row.amount, 0);
      const when = month === undefined ? "of the half-year" : `in ${month}`;
      return { text: `The revenue ${when} was ${amount} euros.`, entries };
    },
  },
  sales_quantity: {
    asks: /\bs(?:old|ell|ales)\b/,
    answer: ({ item, month }) => {
      if (month === undefined) return undefined;
      const entries = salesOf(defined({ month, item }));
      const sold = entries.reduce((sum, row) => sum + row.quantity, 0);
      const what = item === undefined ? "" : ` of ${item}`;
      return { text: `${sold} pieces${what} were sold in ${month}.`, entries };
    },
  },
  supplier_city: {
    asks: /\b(?:city|based|address)\b/,
    answer: ({ supplier = "" }) => {
      const city = SUPPLIERS[supplier];
      if (city === undefined) return undefined;
      return { text: `${supplier} is based in ${city}.`, entries: [{ supplier, city }] };
    },
  },
  supplier_lookup: {
    asks: /suppl|who delivered/,
    answer: delivered(
      ({ item, supplier, date, quantity }) =>
        `${supplier} supplied the ${item}.\nLast delivery: ${date}, ${quantity} pieces.`,
    ),
  },
  delivery_date: {
    asks: /\bwhen\b.*\bdeliver|last delivery/,
    answer: delivered(({ item, date }) => `${item} was last delivered on ${date}.`),
  },
  stock_quantity: {
    asks: /how many|how much/,
    answer: ({ item, day = LAST_DAY }) => {
      if (item === undefined) return undefined;
      const quantity = stockOf(item, day);
      const text = `${quantity} pieces of ${item} were in stock on ${day}.`;
      return { text, entries: [{ item, quantity }], scope: { day } };
    },
  },
  stock_list: {
    asks: /\bstock\b/,
    answer: ({ day = LAST_DAY }) => {
      const all = ITEMS.map((item) => ({ item, quantity: stockOf(item, day) }));
      const entries = all.filter(({ quantity }) => quantity > 0);
      const lines = entries.map((row) => `- ${row.item}: ${row.quantity} pieces`);
      const text = [`On ${day} there are ${entries.length} items in stock.`, ...lines].join("\n");
      return { text, entries, scope: { day, ...defined({ item: entries[0]?.item }) } };
    },
  },
};

function delivered(say: (delivery: Delivery) => string): Intent["answer"] {
  return ({ item = "", day = LAST_DAY }) => {
    const delivery = lastDelivery(item, day);
    if (delivery === undefined) return undefined;
    const { supplier } = delivery;
    return { text: say(delivery), entries: [delivery], scope: { supplier } };
  };
}

/** Answers one question from the shop's books, with the scope of the questions before it. */
export function answerShopQuestion(
  question: string,
  before: ShopScope,
  defects: ReadonlySet<string>,
): ShopAnswer {
  const asked = question.toLowerCase();
  const isFollowUp = /^and\b|\bit\b|\bthat\b/.test(asked);
  const named = Object.keys(INTENTS).find((name) => INTENTS[name]?.asks.test(asked));
  const intent = named ?? (isFollowUp ? before.intent : undefined) ?? "unknown";
  const scope = scopeOf(asked, before, defects);
  const found = INTENTS[intent]?.answer(scope);
  if (found === undefined) {
    return {
      text: "Which item, date or month do you mean?",
      replyType: "clarification_required",
      debug: { ...payload("unknown", scope), fallback_type: "unknown_question" },
      scope: before,
    };
  }
  const next = { ...scope, ...found.scope, intent };
  return {
    text: spoil(found.text, defects),
    replyType: "factual",
    debug: { ...payload(intent, next), entries: found.entries },
    scope: next,
  };
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

const MONTHS = ["january", "february", "march", "april", "may", "june"];

function monthIn(asked: string): string | undefined {
  const numeric = /\b(\d{4}-\d{2})\b(?!-)/.exec(asked)?.[1];
  const named = MONTHS.findIndex((name) => new RegExp(`\\b${name}\\b`).test(asked));
  return numeric ?? (named < 0 ? undefined : `2024-0${named + 1}`);
}

function payload(intent: string, { item, day, month, supplier }: ShopScope) {
  return {
    detected_mode: "shop_query",
    detected_intent: intent,
    selected_recipe: `${intent}_from_books`,
    capability_id: `shop.${intent}`,
    result_mode: "confirmed",
    fallback_type: "none",
    extracted_filters: defined({ item, as_of_date: day, period: month, supplier }),
    state_objects: ["answer_object", ...(item === undefined ? [] : ["focus_object"])],
    semantic_memory: {
      ...defined({ focus_object: item }),
      active_result_set_id: `${intent}:${item ?? "all"}:${day ?? month ?? "latest"}`,
    },
  };
}

function spoil(text: string, defects: ReadonlySet<string>): string {
  const buried = defects.has("direct-answer")
    ? `I looked through deliveries and sales for you.\nSeveral records were compared.\n${text}`
    : text;
  return defects.has("garbage") ? `runtime_plan planner_v2 query_movements\n${buried}` : buried;
}
