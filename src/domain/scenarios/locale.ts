export type Locale = "en" | "de" | "ru";

/** Openings that put talk before the answer. Folded text, matched at the start of the first line. */
export const NOISE_PHRASES: { readonly [locale in Locale]: readonly string[] } = {
  en: [
    "as an ai",
    "certainly",
    "great question",
    "here is what i found",
    "i have analyzed",
    "i have analysed",
    "let me",
    "sure",
    "thank you for",
  ],
  de: ["als ki", "gerne", "gute frage", "hier ist, was", "ich habe analysiert", "vielen dank"],
  ru: [
    "как ии",
    "конечно",
    "отличный вопрос",
    "вот что я нашел",
    "я проанализировал",
    "спасибо за",
  ],
};

/** First words of a question that asks for one fact. */
export const DIRECT_OPENINGS: { readonly [locale in Locale]: readonly string[] } = {
  en: [
    "who",
    "what",
    "which",
    "when",
    "where",
    "how many",
    "how much",
    "is",
    "are",
    "did",
    "does",
    "do",
    "has",
    "have",
    "was",
    "were",
  ],
  de: [
    "wer",
    "was",
    "welche",
    "welcher",
    "welches",
    "wann",
    "wo",
    "wie viel",
    "wie viele",
    "ist",
    "sind",
    "hat",
    "haben",
  ],
  ru: [
    "кто",
    "что",
    "какой",
    "какая",
    "какие",
    "какое",
    "когда",
    "где",
    "сколько",
    "есть ли",
    "был",
    "была",
  ],
};

/** Words of a question that asks for a report. */
export const REPORT_WORDS: { readonly [locale in Locale]: readonly string[] } = {
  en: [
    "analyse",
    "analyze",
    "breakdown",
    "compare",
    "overview",
    "report",
    "summarise",
    "summarize",
    "summary",
    "trend",
  ],
  de: ["analysiere", "auswertung", "bericht", "übersicht", "vergleiche", "zusammenfassung"],
  ru: ["анализ", "обзор", "отчет", "отчёт", "сводка", "сравни", "динамика"],
};

/** Words that lean on an earlier answer. */
export const FOLLOW_UP_WORDS: { readonly [locale in Locale]: readonly string[] } = {
  en: ["and", "it", "its", "that", "them", "then", "they", "this", "those", "same"],
  de: ["und", "davon", "dieser", "diese", "dieses", "dort", "ihn", "ihm"],
  ru: ["а", "и", "его", "ее", "её", "их", "этот", "эта", "это", "этого", "этой", "там"],
};

/** Runs that UTF-8 shows when it was read as another encoding, per script. */
export const MOJIBAKE_MARKS: readonly string[] = [
  "\uFFFD",
  "????",
  "Ð°",
  "Ð¾",
  "Ð¸",
  "Ñ\u0081",
  "Ñ‚",
  "Ñ€",
  "Р°",
  "Рѕ",
  "СЃ",
  "С‚",
  "Ã¤",
  "Ã¶",
  "Ã¼",
  "ÃŸ",
  "Ã©",
  "â€™",
  "â€œ",
];
