import { describe, expect, it } from "vitest";
import { readBrief } from "./brief-facts.ts";
import { sloganFaults } from "./slogan-faults.ts";

const brief = "eco-friendly water bottles";
const codesOf = (text: string, about = brief) =>
  sloganFaults(text, readBrief(about), about).map((fault) => fault.code);

describe("sloganFaults", () => {
  it.each([
    ["", "too_short"],
    ["Bottle", "too_short"],
    ["…", "too_short"],
    ["Fill the bottle every morning before work and spare the sea for good.", "too_long"],
    ["Fill the water bottle. Spare the sea. ".repeat(300), "too_long"],
    ["Wag every tail with our dog food.", "off_brief"],
    ["Spare the sea, now and tomorrow.", "off_brief"],
    ["The best water bottles for everyone", "vague"],
    ["Innovative bottle solutions", "vague"],
    ["Spare the sea, one bottle at a time.", "cliche"],
    ["Bottles for the sea", "no_verb"],
    ["Fill the bottle and go.", "no_benefit"],
    ["The sea is saved by our bottles.", "passive"],
    ["Bottle up! Spare the sea!", "loud"],
    ["FILL THE BOTTLE. SPARE THE SEA.", "loud"],
    ["Fill the bottle, spare the sea, fill the glass.", "repetition"],
    ["Fill the the bottle. Spare the sea.", "repetition"],
    ["Fill the bottle and really spare the sea.", "wordy"],
    ["Fill the bottle today and spare the sea and the coast", "no_rhythm"],
    ["Give a ocean a rest: fill the bottle.", "article"],
    ["Eco-friendly water bottles!", "echo"],
    ["Fill the {product}. Spare the sea.", "unfinished"],
    ["Fill the bottle. \u001b[31mSpare the sea.", "unfinished"],
    ["SHIP IT! Fill the bottle, spare the sea.", "approval_phrase"],
  ])("holds against %j that it is %s", (text, code) => {
    expect(codesOf(text)).toContain(code);
  });

  it.each([
    "Fill the water bottle. Spare the sea.",
    "Bottles that keep plastic off the beach.",
    "Plastic ends where our water bottles begin.",
  ])("lets %j pass", (text) => {
    expect(codesOf(text)).toEqual([]);
  });

  it("quotes the words as they stand", () => {
    const [fault] = sloganFaults("Great bottles that spare the sea.", readBrief(brief), brief);
    expect(fault).toMatchObject({ code: "vague", quote: "Great", severity: "error" });
    expect(fault?.message).toContain("“Great”");
  });
});
