import { openBareStore } from "../bound.mjs";
import { inFolder, median, timed } from "../measure.mjs";
import { pathOf, runNode } from "../processes.mjs";

/** What an answer weighs in the journal. */
const answer = "x".repeat(1_200);

const cases = 10_000;
const rounds = 3;

/** Questions asked, judged and recorded without files, against one synced record per answer. */
export async function judgedCases() {
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const child = runNode([pathOf("./children/judged-cases.mjs"), String(cases)]);
    if (child.status !== 0) throw new Error(child.stderr);
    measured.push({ ...JSON.parse(child.stdout), bare: await bareSeconds() });
  }
  const middle = (name) => median(measured.map((one) => one[name]));
  return [
    {
      figure: "10,000 judged cases",
      unit: "s",
      ours: middle("seconds"),
      bound: middle("bare"),
      boundIs: "one FULL commit per answer",
      target: 2.7,
    },
    {
      figure: "memory of 10,000 judged cases",
      unit: "MB",
      ours: middle("peak"),
      bound: 150,
      boundIs: "the limit",
      target: 1,
    },
  ];
}

function bareSeconds() {
  return inFolder(async (folder) => {
    const bare = openBareStore(folder);
    const took = await timed(() => {
      for (let at = 0; at < cases; at += 1) bare.record(answer);
    });
    bare.close();
    return took / 1000;
  });
}
