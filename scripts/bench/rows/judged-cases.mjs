import { openBareStore } from "../bound.mjs";
import { inFolder, median, timed } from "../measure.mjs";
import { pathOf, runNode } from "../processes.mjs";

/** What an answer weighs in the journal. */
const answer = "x".repeat(1_200);

/** Questions asked, judged and recorded without files, against one synced record per answer. */
export async function judgedCases() {
  const thousand = await judged(1_000, 3);
  const tenThousand = await judged(10_000, 1);
  const boundIs = "one FULL commit per answer";
  const limit = "the limit we set";
  return [
    { figure: "1,000 judged cases", unit: "s", ...thousand.time, boundIs, target: 3 },
    { figure: "10,000 judged cases", unit: "s", ...tenThousand.time, boundIs, target: 2.7 },
    {
      figure: "memory at 10,000 judged cases",
      unit: "MB",
      ours: tenThousand.peak,
      bound: 150,
      boundIs: limit,
      target: 1,
    },
    {
      figure: "stored per judged case",
      unit: "kB",
      ours: thousand.bytes / 1_000_000,
      bound: 7,
      boundIs: limit,
      target: 1,
    },
  ];
}

async function judged(cases, rounds) {
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const child = runNode([pathOf("./children/judged-cases.mjs"), String(cases)]);
    if (child.status !== 0) throw new Error(child.stderr);
    measured.push({ ...JSON.parse(child.stdout), bare: await bareSeconds(cases) });
  }
  const middle = (name) => median(measured.map((one) => one[name]));
  const time = { ours: middle("seconds"), bound: middle("bare") };
  return { time, peak: middle("peak"), bytes: middle("bytes") };
}

function bareSeconds(cases) {
  return inFolder(async (folder) => {
    const bare = openBareStore(folder);
    const took = await timed(() => {
      for (let at = 0; at < cases; at += 1) bare.record(answer);
    });
    bare.close();
    return took / 1000;
  });
}
