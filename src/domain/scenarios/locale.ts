export type Locale = "en" | "de" | "ru";

type Phrases = { readonly [locale in Locale]: readonly string[] };

/** Openings that put talk before the answer. Folded text, matched at the start of the first line. */
export const NOISE_PHRASES: Phrases = {
  en: listed(
    "as an ai | certainly | great question | here is what i found | i have analyzed | i have analysed | let me | sure | thank you for",
  ),
  de: listed("als ki | gerne | gute frage | hier ist, was | ich habe analysiert | vielen dank"),
  ru: listed(
    "как ии | конечно | отличный вопрос | вот что я нашел | я проанализировал | спасибо за",
  ),
};

/** First words of a question that asks for one fact. */
export const DIRECT_OPENINGS: Phrases = {
  en: listed(
    "who | what | which | when | where | how many | how much | is | are | did | does | do | has | have | was | were",
  ),
  de: listed(
    "wer | was | welche | welcher | welches | wann | wo | wie viel | wie viele | ist | sind | hat | haben",
  ),
  ru: listed(
    "кто | что | какой | какая | какие | какое | когда | где | сколько | есть ли | был | была",
  ),
};

/** Words of a question that asks for a report. */
export const REPORT_WORDS: Phrases = {
  en: listed(
    "analyse | analyze | breakdown | compare | overview | report | summarise | summarize | summary | trend",
  ),
  de: listed("analysiere | auswertung | bericht | übersicht | vergleiche | zusammenfassung"),
  ru: listed("анализ | обзор | отчет | отчёт | сводка | сравни | динамика"),
};

/** Words that refer to an earlier answer. */
export const FOLLOW_UP_WORDS: Phrases = {
  en: listed("and | it | its | that | them | then | they | this | those | same"),
  de: listed("und | davon | dieser | diese | dieses | dort | ihn | ihm"),
  ru: listed("а | и | его | ее | её | их | этот | эта | это | этого | этой | там"),
};

/** Character sequences that appear when UTF-8 is read in another encoding, per script. */
export const MOJIBAKE_MARKS = listed(
  "\uFFFD | ???? | Ð° | Ð¾ | Ð¸ | Ñ\u0081 | Ñ‚ | Ñ€ | Р° | Рѕ | СЃ | С‚ | Ã¤ | Ã¶ | Ã¼ | ÃŸ | Ã© | â€™ | â€œ",
);

function listed(phrases: string): readonly string[] {
  return phrases.split(" | ");
}
