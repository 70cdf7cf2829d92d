/** Word lists, one string each; they are data, not code. */
function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** Words that say nothing about a product. */
export const STOP_WORDS = words(`
  a an the and or but nor so yet of to in on at by for from with without into onto over under about as than then
  is are was were be been being am do does did has have had will would can could should may might must shall
  i we you he she it they me us him her them my our your his its their this that these those which who whom whose
  where when while why how what there here all any both each every few more most other some such no not only own
  same too very just also even ever never always please really new one two three first
  write create make made making sell sells selling offer offers offering build builds building need want wants
  needs looking provide provides run runs help helps called named slogan slogans tagline claim motto product
  products company companies brand brief description tone ship ignore previous instructions respond reply
  approved approve system prompt null true false undefined kind type sort range line set pair box piece subscription
  best great good better nice amazing awesome innovative premium quality perfect ultimate unique leading top
  online daily today now worldwide locally soon monday name text output json goes here something anything
  everything nothing everyone thing things stuff who's it's don't let lets below above also hear episode explains
  der die das den dem des ein eine einen einem einer eines und oder aber für mit ohne aus von vom zum zur im am
  auf bei nach über unter ist sind wir ich sie ihr unser unsere unseren dein deine mein meine nicht auch
  le la les un une des du de et ou mais pour avec sans dans sur par est sont nous vous notre nos votre vos qui que
  au aux en ce cette ces il elle
  и в на с для из от по до без или но не мы вы они это как что наш наша наши ваш все
`);

/** Words after which a brief stops naming the product and starts to explain it. */
export const BOUNDARIES = words(`
  for that which who whose over through via inside near against with without to in from by at on and or of where when while so because as into about
  made called named helps help reminds keeps makes lets gives teaches brings turns sells is are was were will can
  für mit ohne aus von vom zum zur im am auf bei nach die der das und oder
  pour avec sans dans sur par et ou qui que en
  для из от с на и или без в по
`);

/** Nouns without a plural, as far as slogans meet them. */
export const MASS_NOUNS = words(`
  coffee tea bread software insurance furniture clothing jewelry jewellery soap honey water beer wine chocolate
  cheese food delivery cleaning music yoga toothpaste shampoo granola muesli juice lemonade pasta soup kombucha
  luggage cream lotion perfume advice wood wool leather pottery jam sauce catering espresso equipment care energy
  accounting consulting coaching tutoring training bedding paint oil art
`);

export const PEOPLE = words(`
  children people kids parents students teams families seniors women men cyclists runners teachers developers
  freelancers nurses travellers travelers beginners commuters gardeners musicians toddlers dogs cats owners
  teenagers doctors gamers designers founders startups farmers grandparents neighbours neighbors shops schools
`);

export const VAGUE_WORDS = words(`
  great best better good nice amazing awesome incredible innovative premium quality perfect ultimate unique
  leading solution solutions excellence everyone everything something anything things stuff special wonderful
  fantastic revolutionary world-class superior outstanding exceptional modern synergy
  bessere besser beste besten gut tolle super innovativ einzigartig meilleur meilleure parfait unique
  лучшее лучший лучшего лучшие качество
`);

export const CLICHES: readonly string[] = [
  "feel the difference",
  "make a difference",
  "next level",
  "better tomorrow",
  "brighter future",
  "game changer",
  "game-changer",
  "at a time",
  "save the planet",
  "like never before",
  "you deserve",
  "think outside the box",
  "second to none",
  "the future of",
  "your one-stop",
  "for all your needs",
  "all you need",
  "passion for",
  "tired of",
  "live your best life",
  "state of the art",
  "eine bessere zukunft",
  "avenir meilleur",
  "лучшего будущего",
];

export const FILLERS: readonly string[] = [
  "so that you can",
  "in order to",
  "each and every",
  "every single",
  "in the best way",
  "really",
  "very",
  "simply",
  "basically",
  "maybe",
  "perhaps",
  "probably",
  "einfach nur",
  "tout simplement",
  "просто",
];

/** Verbs a line may live on besides those of the lexicon itself. */
export const COMMON_VERBS = words(`
  add arrive ask bake be bloom breathe bring build call care carry catch change charge choose clean climb come cook
  cut dance do dream drink drive eat end enjoy escape explore feed feel fill find fix float fly follow forget gain
  gather get give go grow guard have hear help hold hug hydrate join jump keep know laugh lead learn leave let lift
  light listen live look love make meet move need open own pack pay plan plant play pour press protect put reach
  read refill relax remember rest ride rise run save see sell share shine show sing sip sit skip sleep slow smile
  snap solve spare speak spend stand start stay step stop stretch swim take talk taste teach tell think touch trust
  try turn unwind use wait wake walk want warm wash watch wear win wonder work write
  hol spar lass mach greif nimm gönn gewinn gagnez offrez laissez simplifiez retrouvez goûtez
  берегите забудьте верните сделайте подарите
`);
