/** What a product can be about, and what it then promises. */
export interface Theme {
  readonly name: string;
  /** Beginnings of words that call for the theme; a trailing `=` asks for the whole word. */
  readonly keywords: string;
  /** Promises as commands, verb first: they must also read well after "that", with the product as subject. */
  readonly acts: readonly string[];
  /** What goes away: nouns in the singular. */
  readonly losses: readonly string[];
  /** What one gets more of. */
  readonly gains: readonly string[];
  /** What one can give somebody. */
  readonly gift: string;
}

export const GENERAL_THEME: Theme = {
  name: "general",
  keywords: "",
  acts: [
    "earn a place in your morning",
    "make hard days lighter",
    "take a worry off the list",
    "carry half the load",
    "clear the way to the weekend",
  ],
  losses: ["hassle", "fuss", "worry"],
  gains: ["free evenings", "calm", "weekend"],
  gift: "one worry less",
};

export const THEMES: readonly Theme[] = [
  {
    name: "green",
    keywords:
      "eco green= sustainab recycl organic solar biodegrad compost climate carbon plastic refill reusab zero-waste vegan natural bamboo environment",
    acts: [
      "spare the sea",
      "keep plastic off the beach",
      "outlive the landfill",
      "give the river a rest",
      "leave the coast clean",
    ],
    losses: ["waste", "plastic", "landfill"],
    gains: ["blue sea", "coastline", "forest"],
    gift: "a cleaner coast",
  },
  {
    name: "kids",
    keywords:
      "child kid= kids= baby babies toddler toy toys= school kindergarten playground nursery",
    acts: [
      "outlast every playground",
      "survive the sandpit",
      "turn rain into playtime",
      "tire out small explorers",
      "keep small hands busy",
    ],
    losses: ["boredom", "bedtime drama"],
    gains: ["giggles", "playtime", "muddy puddles"],
    gift: "a longer playtime",
  },
  {
    name: "pets",
    keywords: "dog cat= cats= pet= pets= puppy puppies kitten horse hamster rabbit vet= aquarium",
    acts: [
      "make tails wag",
      "calm nervous paws",
      "bring back the bounce",
      "win over picky eaters",
      "lengthen the morning walk",
    ],
    losses: ["begging", "shedding", "whining"],
    gains: ["wagging tails", "zoomies", "long walks"],
    gift: "a reason to bounce",
  },
  {
    name: "sleep",
    keywords: "sleep mattress pillow blanket bed= beds= bedding insomnia snor night=",
    acts: [
      "hush the night",
      "end the midnight stare",
      "outsleep the alarm",
      "hold the dark gently",
      "hand back your dreams",
    ],
    losses: ["tossing", "restlessness"],
    gains: ["deep sleep", "dreams", "quiet nights"],
    gift: "a quiet night",
  },
  {
    name: "health",
    keywords:
      "health stretch yoga fitness medic doctor dentist clinic therap posture pain vitamin wellness meditat mental heart exercis gym= pharm diet",
    acts: [
      "loosen stiff shoulders",
      "steady a racing heart",
      "wake tired legs",
      "quiet a busy mind",
      "straighten a desk-bent back",
    ],
    losses: ["back pain", "stress", "fatigue"],
    gains: ["energy", "easy breathing", "spring in your step"],
    gift: "a spring in the step",
  },
  {
    name: "taste",
    keywords:
      "food bread bak cake pizza chocolate cheese sauce snack honey jam= cook restaurant meal recipe spice soup pasta burger granola muesli ice= dessert breakfast lunch dinner grocer flavo taste delicious catering kitchen",
    acts: [
      "wake up the table",
      "empty every plate",
      "warm the whole kitchen",
      "bring back Sunday lunch",
      "silence a hungry house",
    ],
    losses: ["hunger", "bland food"],
    gains: ["second helpings", "full plates", "warm crumbs"],
    gift: "second helpings",
  },
  {
    name: "drink",
    keywords:
      "coffee tea= teas= beer wine juice lemonade smoothie espresso brew drink kombucha water hydrat",
    acts: [
      "wake the whole office",
      "chase off the thirst",
      "cool the longest afternoon",
      "slow down the evening",
      "open sleepy eyes",
    ],
    losses: ["thirst", "yawning"],
    gains: ["refreshment", "bright mornings", "slow sips"],
    gift: "a bright morning",
  },
  {
    name: "speed",
    keywords: "fast quick speed instant rapid deliver express same-day courier minute hurry",
    acts: [
      "beat the rush",
      "win back an hour",
      "skip the queue",
      "outrun the deadline",
      "shorten the wait",
    ],
    losses: ["waiting", "delay"],
    gains: ["free evenings", "time", "early finishes"],
    gift: "an hour back",
  },
  {
    name: "safety",
    keywords:
      "safe secur protect insur alarm lock helmet guard privacy password vpn= backup seatbelt smoke",
    acts: [
      "catch trouble early",
      "watch over the night",
      "keep strangers out",
      "guard the front door",
      "soften the worst day",
    ],
    losses: ["worry", "danger"],
    gains: ["quiet nights", "peace", "locked doors"],
    gift: "a quiet night",
  },
  {
    name: "learning",
    keywords:
      "learn teach course class lesson tutor language book books= library educat student study exam quiz math science train academy museum",
    acts: [
      "turn questions into answers",
      "open stubborn books",
      "untie the hard parts",
      "raise brave hands",
      "make Mondays curious",
    ],
    losses: ["guesswork", "exam panic"],
    gains: ["answers", "curiosity", "raised hands"],
    gift: "an answer at last",
  },
  {
    name: "money",
    keywords:
      "money bank budget saving cheap afford price loan invest tax= taxes= pension cost discount finance account invoic",
    acts: [
      "stretch every coin",
      "shrink the bill",
      "fatten the piggy bank",
      "tame the tax letter",
      "leave change in your pocket",
    ],
    losses: ["debt", "overspending"],
    gains: ["savings", "pocket money", "payday"],
    gift: "change in the pocket",
  },
  {
    name: "garden",
    keywords: "garden plant flower seed bouquet lawn balcony bee= bees= florist soil herb tree",
    acts: [
      "wake the garden",
      "feed the bees",
      "green the balcony",
      "coax out the blossom",
      "turn soil into supper",
    ],
    losses: ["drought", "bare soil"],
    gains: ["blossom", "bees", "tomatoes"],
    gift: "a balcony in bloom",
  },
  {
    name: "sport",
    keywords:
      "sport run= runn marathon football soccer climb ski= tennis swim athlete racing hike hiking bike bicycle cycling",
    acts: [
      "chase the last mile",
      "outrun the rain",
      "flatten every hill",
      "break old records",
      "push past the finish line",
    ],
    losses: ["hesitation", "headwind"],
    gains: ["finish lines", "open road", "mileage"],
    gift: "the last mile",
  },
  {
    name: "travel",
    keywords:
      "travel trip hotel hostel flight holiday vacation tour train= trains= ferry camping luggage suitcase airline car= cars= van= scooter taxi commute",
    acts: [
      "shorten every mile",
      "find the quiet road",
      "collect new horizons",
      "outpace the traffic",
      "bring the far side near",
    ],
    losses: ["traffic", "homesickness"],
    gains: ["horizon", "open road", "sea views"],
    gift: "a new horizon",
  },
  {
    name: "craft",
    keywords:
      "handmade hand-made craft artisan leather wood wooden ceramic pottery knit wool tailor vintage hand-knitted bespoke forged carpent jewel",
    acts: [
      "outlast the fashion",
      "honour the maker's hand",
      "grow handsome with age",
      "show every honest stitch",
      "reward the patient",
    ],
    losses: ["throwaway fashion", "mass production"],
    gains: ["character", "patina", "honest stitches"],
    gift: "something to inherit",
  },
  {
    name: "beauty",
    keywords:
      "beauty skin hair cream soap shampoo lotion perfume makeup cosmetic salon nail spa= barber shav toothpaste toothbrush",
    acts: [
      "smooth tired skin",
      "rinse off the rush",
      "tame wild mornings",
      "brighten the mirror",
      "polish up the smile",
    ],
    losses: ["dryness", "dullness"],
    gains: ["glow", "morning light", "smiles"],
    gift: "a morning glow",
  },
  {
    name: "style",
    keywords:
      "fashion shirt dress jacket coat= coats= jeans sneaker shoe boot hat= hats= scarf cloth sunglass watch bag= bags= backpack sock",
    acts: [
      "dress up plain mornings",
      "sharpen any Monday",
      "lengthen your stride",
      "shrug off the rain",
      "brighten a grey street",
    ],
    losses: ["dullness", "cold weather"],
    gains: ["colour", "compliments", "swagger"],
    gift: "a reason to strut",
  },
  {
    name: "music",
    keywords:
      "music guitar piano concert festival speaker headphone earbud band= song radio podcast vinyl dj= choir theatre cinema film game",
    acts: [
      "fill the room with sound",
      "turn silence into song",
      "make the neighbours dance",
      "drown out the traffic",
      "call back the encore",
    ],
    losses: ["silence", "background noise"],
    gains: ["encores", "goosebumps", "volume"],
    gift: "an encore",
  },
  {
    name: "home",
    keywords:
      "home house furnitur sofa chair lamp light clean vacuum kettle heat roof window paint laundry table= tables= desk candle rug= wash apartment",
    acts: [
      "warm every room",
      "chase the dust away",
      "light up the hallway",
      "gather the family indoors",
      "soften the end of the day",
    ],
    losses: ["clutter", "dust", "draught"],
    gains: ["room to breathe", "elbow room", "warmth"],
    gift: "room to breathe",
  },
  {
    name: "work",
    keywords:
      "office team business startup meeting project crm= hr= sales freelance accounting legal lawyer agency marketing b2b enterprise consult logistics warehouse",
    acts: [
      "clear the desk by noon",
      "shrink the backlog",
      "end the endless meeting",
      "win the morning",
      "steady the whole team",
    ],
    losses: ["paperwork", "busywork"],
    gains: ["focus", "finished work", "free Fridays"],
    gift: "a free Friday",
  },
  {
    name: "tech",
    keywords:
      "app= apps= software ai= smart robot digital cloud code coding developer data online website platform device automat phone laptop computer chatbot battery charger internet drone printer camera",
    acts: [
      "untangle the busy day",
      "sort out the mess",
      "tame tomorrow's list",
      "remember what you forget",
      "find lost minutes",
    ],
    losses: ["confusion", "busywork", "tangle"],
    gains: ["clear screens", "focus", "head space"],
    gift: "a clear head",
  },
  {
    name: "community",
    keywords:
      "charity volunteer communit neighbo donat refugee elderly senior church club shelter nonprofit social",
    acts: [
      "open closed doors",
      "fill the empty chair",
      "bring the street together",
      "carry a neighbour's load",
      "set one more place",
    ],
    losses: ["loneliness", "silence"],
    gains: ["company", "open doors", "neighbours"],
    gift: "good company",
  },
];
