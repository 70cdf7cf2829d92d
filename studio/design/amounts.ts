/** Micro-dollars as people read them; small amounts keep what tells them apart from nothing. */
export function money(microUsd: number): string {
  const usd = microUsd / 1_000_000;
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

export function seconds(value: number): string {
  if (value < 60) return `${value.toFixed(1)} s`;
  const minutes = Math.floor(value / 60);
  return `${minutes} min ${Math.round(value % 60)} s`;
}

/** `3 min ago`; the exact time belongs into a title. */
export function ago(iso: string, now = Date.now()): string {
  const passed = Math.max(0, (now - Date.parse(iso)) / 1_000);
  if (passed < 45) return "just now";
  if (passed < 3_600) return `${Math.max(1, Math.round(passed / 60))} min ago`;
  if (passed < 86_400) return `${Math.round(passed / 3_600)} h ago`;
  const days = Math.round(passed / 86_400);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
