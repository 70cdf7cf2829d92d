import { ago } from "./amounts.ts";

export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="soft nowrap">
      {ago(at)}
    </time>
  );
}
