/** The shop that the demo assistant knows: four items, three suppliers, half a year. */
export const LAST_DAY = "2024-06-30";

export const ITEMS = ["Oak desk", "Pine shelf", "Desk lamp", "Office chair"] as const;

export const SUPPLIERS: { readonly [name: string]: string } = {
  Nordholz: "Kiel",
  "Lumen Works": "Ghent",
  Sitwell: "Leeds",
};

const DELIVERIES = [
  { item: "Oak desk", supplier: "Nordholz", date: "2024-01-15", quantity: 10 },
  { item: "Pine shelf", supplier: "Nordholz", date: "2024-01-22", quantity: 20 },
  { item: "Desk lamp", supplier: "Lumen Works", date: "2024-02-05", quantity: 30 },
  { item: "Office chair", supplier: "Sitwell", date: "2024-02-12", quantity: 15 },
  { item: "Oak desk", supplier: "Nordholz", date: "2024-05-06", quantity: 8 },
  { item: "Desk lamp", supplier: "Lumen Works", date: "2024-06-03", quantity: 12 },
];

const SALES = [
  { item: "Oak desk", date: "2024-02-20", quantity: 3, amount: 1350 },
  { item: "Desk lamp", date: "2024-03-04", quantity: 9, amount: 360 },
  { item: "Oak desk", date: "2024-03-18", quantity: 2, amount: 900 },
  { item: "Office chair", date: "2024-03-25", quantity: 4, amount: 720 },
  { item: "Pine shelf", date: "2024-04-09", quantity: 6, amount: 540 },
  { item: "Oak desk", date: "2024-05-21", quantity: 4, amount: 1800 },
  { item: "Desk lamp", date: "2024-06-11", quantity: 5, amount: 200 },
];

export type Delivery = (typeof DELIVERIES)[number];

export function stockOf(item: string, day: string): number {
  const sold = SALES.map((sale) => ({ ...sale, quantity: -sale.quantity }));
  return [...DELIVERIES, ...sold]
    .filter((row) => row.item === item && row.date <= day)
    .reduce((total, row) => total + row.quantity, 0);
}

export function lastDelivery(item: string, day: string): Delivery | undefined {
  return DELIVERIES.findLast((row) => row.item === item && row.date <= day);
}

/** Of one item or all, in one month or the whole half-year. */
export function salesOf({ month = "", item }: { readonly month?: string; readonly item?: string }) {
  return SALES.filter(
    (row) => row.date.startsWith(month) && (item === undefined || row.item === item),
  );
}
