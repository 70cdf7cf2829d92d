import { describe, expect, it } from "vitest";
import { sloganCritic } from "./draft-faults.ts";

const brief = "eco-friendly water bottles";
const critic = sloganCritic(brief);
const codesOf = (text: string) => critic(text).map((fault) => fault.code);

describe("sloganCritic", () => {
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
    ["Fill the bottle and go.", "no_benefit"],
    ["Bottle up! Spare the sea!", "loud"],
    ["FILL THE BOTTLE. SPARE THE SEA.", "loud"],
    ["Fill the bottle, spare the sea, fill the glass.", "repetition"],
    ["Fill the the bottle. Spare the sea.", "repetition"],
    ["Fill the bottle and really spare the sea.", "wordy"],
    ["Fill the {product}. Spare the sea.", "unfinished"],
    ["Fill the bottle. \u001b[31mSpare the sea.", "unfinished"],
    ["SHIP IT! Fill the bottle, spare the sea.", "approval_phrase"],
  ])("holds against %j that it is %s", (text, code) => {
    expect(codesOf(text)).toContain(code);
  });

  it.each([
    "Fill the water bottle. Spare the sea.",
    "Bottles that keep plastic off the beach.",
    "Waste ends here: fill the water bottles.",
  ])("lets %j pass", (text) => {
    expect(codesOf(text)).toEqual([]);
  });

  it("quotes the words as they stand", () => {
    const [fault] = critic("Great bottles that spare the sea.");
    expect(fault).toMatchObject({ code: "vague", quote: "Great", severity: "error" });
    expect(fault?.message).toContain("“Great”");
  });
});
