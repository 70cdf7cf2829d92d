/** What a product can be about, and what it then promises. */
export interface Theme {
  /** Beginnings of words that call for the theme; a trailing `=` asks for the whole word. */
  readonly keywords: readonly string[];
  /** Promises as commands, verb first. */
  readonly acts: readonly string[];
  /** What there is less of, and what there is more of. */
  readonly loss: string;
  readonly gain: string;
}

/** Keywords, then promises, then what is lost and gained. The first line is for briefs that match no other. */
const table = `
  | make hard days lighter; take a worry off the list; clear the way to the weekend | hassle > calm
  eco sustainab recycl organic solar climate plastic refill reusab vegan natural bamboo | spare the sea; keep plastic off the beach; leave the coast clean | waste > blue sea
  child kid= kids= baby toddler toy school family families | survive the sandpit; turn rain into playtime; keep small hands busy | boredom > giggles
  dog cat= cats= pet= pets= puppy | wag every tail; win over the cat; wake up the walk | begging > purring
  food bread bak coffee tea= meal pasta chocolate granola burger restaurant lemonade beer honey | fill the table; warm up Monday; bring the kitchen back to life | hunger > second helpings
  sleep yoga stretch health fitness gym doctor dentist mattress hearing | loosen stiff mornings; get the back moving; rest like a cat | stress > deep breaths
  fast quick deliver express taxi travel trip flight hotel hostel car= bike | skip the queue; shorten the wait; find the quiet road | waiting > open road
  safe secur protect insur alarm lock password vpn= | guard the front door; catch trouble early; watch over the night | worry > quiet nights
  learn teach course class lesson language book museum student exam | turn questions into answers; raise brave hands; untie the hard parts | guesswork > curiosity
  money bank budget cheap afford tax= account pension | stretch every coin; shrink the bill; tame the tax letter | debt > savings
  garden plant flower seed tree shoe sport run= runn climb ski= marathon hik | chase the last mile; wake the garden; outrun the rain | headwind > blossom
  handmade craft leather wood ceramic knit wool fashion jacket sock scarf soap shampoo beauty | outlast the fashion; brighten a grey street; reward the patient | dullness > colour
  music guitar concert festival headphone radio podcast choir film game | turn silence into song; fill the room with sound; call back the encore | silence > goosebumps
  app= apps= software ai= smart robot cloud data online team office work crm= | clear the desk by noon; tame tomorrow's list; find lost minutes | paperwork > free Fridays`;

const themes = table.split("\n").slice(1).map(readTheme);

/** The theme with the most keywords; the general one has none. */
export function themeOf(tokens: readonly string[]): Theme {
  const hits = ({ keywords }: Theme) =>
    keywords.filter((keyword) => tokens.some((token) => `${token}=`.startsWith(keyword))).length;
  return themes.reduce((best, theme) => (hits(theme) > hits(best) ? theme : best));
}

/** Every word that promises something, whichever theme it belongs to. */
export const promises: string = themes
  .flatMap(({ acts, loss, gain }) => [...acts.map((act) => act.replace(/^\S+ /, "")), loss, gain])
  .join(" ");

function readTheme(line: string): Theme {
  const [keywords = "", acts = "", change = ""] = line.split("|");
  const [loss = "", gain = ""] = change.split(" > ");
  return {
    keywords: keywords.split(" ").filter((word) => word !== ""),
    acts: acts.split(";").map((act) => act.trim()),
    loss: loss.trim(),
    gain: gain.trim(),
  };
}
