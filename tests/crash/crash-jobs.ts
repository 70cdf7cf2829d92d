import { standIns, writeScript } from "../support/signoff-process.ts";

/** A command that the suite kills everywhere. */
export interface CrashJob {
  readonly title: string;
  readonly exitCode: number;
  prepare(folder: string): Promise<readonly string[]>;
}

const bottles = "eco-friendly water bottles";

/** Slogans, alone and in a fan-out, with replies of a script and of the offline models. */
export const crashJobs: readonly CrashJob[] = [
  {
    title: "a script of two turns",
    exitCode: 0,
    prepare: async (folder) => {
      const script = await writeScript(folder, {
        creator: ["Hydrate Green, Live Clean", "Hydrate Green, Save Our Seas"],
        reviewer: ["Good rhythm but vague. Be specific about impact.", "SHIP IT!"],
      });
      return ["draft", bottles, "--script", script];
    },
  },
  {
    title: "a script with a failing candidate, a repaired one and an undecided panel",
    exitCode: 1,
    prepare: async (folder) => {
      const script = await writeScript(folder, {
        creator: [
          "Hydrate Green, Live Clean",
          "",
          "Sip Green",
          "Less Plastic, More Sea",
          { $error: { code: "overloaded", message: "The model is full." } },
        ],
        reviewers: {
          brand: Array.from({ length: 8 }, () => "Close, but it says nothing about us."),
          legal: Array.from({ length: 8 }, () => "SHIP IT!"),
        },
      });
      return [
        ...["draft", bottles, "--script", script, "--candidates", "2", "--max-turns", "2"],
        ...["--reviewer", "brand", "--reviewer", "legal"],
      ];
    },
  },
  {
    title: "two offline candidates before a panel of two",
    exitCode: 0,
    prepare: async () => [
      ...[
        "draft",
        "a night train to Lisbon for people who hate airports",
        "--candidates",
        "2",
        ...standIns,
      ],
      ...["--reviewer", "brand", "--reviewer", "legal"],
    ],
  },
];
