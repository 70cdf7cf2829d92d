const ISO = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g;
const DOTTED = /(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/g;

/** Calendar days named in a text as `2024-03-31` or `31.03.2024`, in ISO form. */
export function datesIn(text: string): readonly string[] {
  const iso = [...text.matchAll(ISO)].map(([day]) => day);
  const dotted = [...text.matchAll(DOTTED)].map(
    ([, day = "", month = "", year = ""]) =>
      `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  );
  return [...iso, ...dotted];
}
