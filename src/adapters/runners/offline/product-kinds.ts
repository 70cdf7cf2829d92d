/** What people do with a thing: the verb that makes a line sound like it knows its product. */
export interface ProductKind {
  /** Endings of the product's last word; the first kind that fits wins. */
  readonly endings: string;
  /** Commands that end where the product begins. */
  readonly uses: readonly string[];
  /** One of them is used at a time, so a plural becomes singular. */
  readonly single?: boolean;
}

export const OTHER_KIND: ProductKind = {
  endings: "",
  uses: ["Reach for the", "Meet the", "Count on the"],
};

export const PRODUCT_KINDS: readonly ProductKind[] = [
  { endings: "bottle flask mug cup thermos tumbler", uses: ["Fill the", "Pack the"], single: true },
  {
    endings: "coffee tea beer wine juice lemonade espresso kombucha smoothie",
    uses: ["Pour the", "Sip the"],
  },
  {
    endings:
      "bakery cafe café restaurant hotel hostel bar shop store museum library gym studio salon school clinic market bookshop bookstore florist pub kindergarten farm festival camp spa theatre cinema church club shelter space office centre center brewery",
    uses: ["Step into our", "Visit our"],
  },
  { endings: "shoe boot sneaker trainer", uses: ["Lace up the", "Step into the"] },
  { endings: "sandal slipper jeans trousers sock", uses: ["Slip into the", "Step into the"] },
  {
    endings:
      "shirt jacket coat dress hat scarf glove sweater ring watch glasses helmet clothes clothing jewelry jewellery necklace",
    uses: ["Put on the", "Wear the"],
  },
  { endings: "bag backpack suitcase luggage umbrella tent", uses: ["Grab the", "Pack the"] },
  { endings: "app", uses: ["Open the", "Tap the"] },
  {
    endings:
      "software platform website dashboard assistant chatbot plugin tool system crm cloud vpn manager planner",
    uses: ["Open the", "Start the"],
  },
  { endings: "bike bicycle scooter motorcycle skateboard", uses: ["Ride the", "Hop on the"] },
  { endings: "car van", uses: ["Drive the", "Start the"] },
  {
    endings: "sofa chair armchair mattress bed pillow blanket hammock couch",
    uses: ["Sink into the", "Curl up with the"],
  },
  {
    endings:
      "vacuum lamp speaker drill headphones earbuds camera robot printer thermostat charger battery batteries kettle phone laptop console panel heater light alarm device drone machine lock",
    uses: ["Switch on the", "Plug in the"],
  },
  {
    endings:
      "course class lesson workshop training coaching tutoring yoga academy choir brigade orchestra",
    uses: ["Join the", "Book the"],
  },
  { endings: "advice plan programme program", uses: ["Follow the", "Start with the"] },
  { endings: "insurance bank account loan pension", uses: ["Trust our", "Lean on our"] },
  {
    endings:
      "delivery cleaning consulting subscription agency plumber dentist repair service tour flight trip consultancy lawyer catering",
    uses: ["Book our", "Call on our"],
  },
  { endings: "book magazine newsletter comic novel", uses: ["Open the", "Read the"] },
  {
    endings: "podcast song playlist radio record piano guitar violin band",
    uses: ["Play the", "Turn up the"],
  },
  { endings: "toy game puzzle doll block", uses: ["Unbox the", "Play with the"] },
  {
    endings: "soap cream shampoo lotion toothpaste perfume oil toothbrush",
    uses: ["Reach for the", "Pick up the"],
  },
  { endings: "seed plant flower bouquet herb tree", uses: ["Plant the", "Water the"] },
  {
    endings:
      "bread cake pizza chocolate cheese sauce snack honey jam cookie granola soup pasta burger muesli cream dessert meal croissant pie spice",
    uses: ["Taste the", "Share the"],
  },
];
