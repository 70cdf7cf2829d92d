export interface PersonDecision {
  readonly by: string;
  readonly choice?: string;
  readonly question?: string;
  readonly comment?: string;
}

/** A person's decision with its comment, in one line for everyone who works on. */
export function decisionLine({ by, choice, question, comment }: PersonDecision): string {
  const what = question === undefined ? "" : ` on "${oneLine(question)}"`;
  const remark = comment === undefined ? "" : `; ${oneLine(comment)}`;
  return `${oneLine(by)} decided ${choice ?? "it"}${what}${remark}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
