/** Lines for briefs in another language. The product stands before a colon, where no grammar can go wrong. */
export interface LanguageLines {
  readonly polished: readonly string[];
  readonly first: readonly string[];
  /** Words that promise something. */
  readonly benefits: string;
  /** Romance languages name the thing first, the others last. */
  readonly headFirst: boolean;
  /** Words that give the language away. */
  readonly signs: RegExp;
}

export const OTHER_LANGUAGES: readonly LanguageLines[] = [
  {
    signs: /ß|(?<!\p{L})(für|und|eine?|mit|aus|der|das|wir)(?!\p{L})/iu,
    headFirst: false,
    benefits: "zeit ruhe abend ärger alltag feierabend sorgen",
    polished: [
      "{Product}: Hol dir den Abend zurück.",
      "{Product}: Spar Zeit, gewinn Ruhe.",
      "{Product}: Lass den Ärger draußen.",
      "{Product}: Mach den Alltag leicht.",
      "Lass die Sorgen liegen, greif zu: {Product}.",
      "{Product}: Gönn dir Feierabend.",
    ],
    first: [
      "{Product} für eine bessere Zukunft.",
      "{Product}: Hol dir den Abend zurück! Greif zu!",
      "{Product}: Mach den Alltag besser.",
      "Spar Zeit, gewinn Ruhe.",
    ],
  },
  {
    signs: /[œç]|(?<!\p{L})(pour|les|une|des|avec|nous)(?!\p{L})/iu,
    headFirst: true,
    benefits: "temps soirée sourire soucis journées calme matin",
    polished: [
      "{Product} : gagnez du temps, gardez le sourire.",
      "{Product} : offrez-vous une soirée tranquille.",
      "{Product} : laissez les soucis dehors.",
      "{Product} : retrouvez le calme du matin.",
      "Laissez les soucis, goûtez au calme : {product}.",
    ],
    first: [
      "{Product} pour un avenir meilleur.",
      "{Product} : gagnez du temps ! Offrez-vous le calme !",
      "{Product} : retrouvez le meilleur calme.",
      "Gagnez du temps, gardez le sourire.",
    ],
  },
  {
    signs: /\p{Script=Cyrillic}/u,
    headFirst: false,
    benefits: "время хлопотах вечер утро тишину",
    polished: [
      "{Product}: берегите время для главного.",
      "{Product}: забудьте о лишних хлопотах.",
      "{Product}: верните себе спокойный вечер.",
      "{Product}: сделайте утро легче.",
      "Подарите себе вечер: {product}.",
    ],
    first: [
      "{Product} для лучшего будущего.",
      "{Product}: верните себе вечер! Берегите время!",
      "{Product}: сделайте лучшее утро.",
      "Забудьте о лишних хлопотах.",
    ],
  },
];
