import type { KnownLanguage } from "../../../domain/episodes/language.ts";

interface Phrases {
  readonly and: string;
  readonly about: (who: string, what: string) => string;
  readonly inThisEpisode: string;
  readonly chapters: string;
  readonly takeaways: string;
  readonly noLinks: string;
  readonly opening: string;
  readonly newEpisode: (what: string) => string;
  readonly question: string;
  readonly subtitle: (who: string, what: string) => string;
  readonly withHosts: (who: string) => string;
}

/** The few words of our own; everything else is quoted from the episode. */
export const phrases: { readonly [language in KnownLanguage]: Phrases } = {
  en: {
    and: "and",
    about: (who, what) => `${who} talk about ${what}.`,
    inThisEpisode: "In this episode",
    chapters: "Chapters",
    takeaways: "What to take away",
    noLinks: "No links were mentioned in this episode.",
    opening: "Opening",
    newEpisode: (what) => `New episode: ${what}.`,
    question: "What would you add from your own experience?",
    subtitle: (who, what) => `${who} on ${what}.`,
    withHosts: (who) => `With ${who}.`,
  },
  de: {
    and: "und",
    about: (who, what) => `${who} sprechen über ${what}.`,
    inThisEpisode: "In dieser Folge",
    chapters: "Kapitel",
    takeaways: "Was bleibt",
    noLinks: "In dieser Folge wurden keine Links genannt.",
    opening: "Beginn",
    newEpisode: (what) => `Neue Folge: ${what}.`,
    question: "Was würdet ihr aus eigener Erfahrung ergänzen?",
    subtitle: (who, what) => `${who}: ${what}.`,
    withHosts: (who) => `Mit ${who}.`,
  },
};

/** `a, b and c`. */
export function listed(items: readonly string[], language: KnownLanguage): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${phrases[language].and} ${items.at(-1)}`;
}
