import { spawnSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { env, exit, stdout } from "node:process";

/** Runs `signoff notes check`, shows the result in every place that a job has, and ends with its exit code. */
const {
  GITHUB_API_URL: api = "https://api.github.com",
  GITHUB_REPOSITORY: repository = "",
  GITHUB_STEP_SUMMARY: summaryFile = "",
  SIGNOFF_CHANGED_SINCE: since = "",
  SIGNOFF_COMMENT: comment = "true",
  SIGNOFF_PROGRAM: program = "signoff",
  SIGNOFF_PULL_REQUEST: pullRequest = "",
  SIGNOFF_SARIF: sarifFile = "",
  SIGNOFF_TOKEN: token = "",
} = env;
function check(format) {
  const scope = since === "" ? [] : ["--changed-since", since];
  const [command, ...first] = program.split(" ");
  const ran = spawnSync(command, [...first, "notes", "check", ...scope, "--format", format], {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  if (ran.error !== undefined) throw ran.error;
  return { text: ran.stdout, said: ran.stderr, code: ran.status ?? 1 };
}

async function ask(method, path, body) {
  const answer = await fetch(`${api}/repos/${repository}/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" },
    ...(body === undefined ? {} : { body: JSON.stringify({ body }) }),
  });
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status}`);
  return answer.json();
}

/** One comment for each project of the repository, found again by its first line. */
async function updateComment(text) {
  const [marker] = text.split("\n", 1);
  for (let page = 1; ; page += 1) {
    const comments = await ask(
      "GET",
      `issues/${pullRequest}/comments?per_page=100&page=${page}`,
    );
    const own = comments.find(({ body, user }) => body.startsWith(marker) && user.type === "Bot");
    if (own !== undefined) return ask("PATCH", `issues/comments/${own.id}`, text);
    if (comments.length < 100) return ask("POST", `issues/${pullRequest}/comments`, text);
  }
}

const { text: annotations, said, code } = check("github");
stdout.write(annotations);
stdout.write(said);
if (code === 0 || code === 1) {
  const { text: summary } = check("markdown");
  if (summaryFile !== "") appendFileSync(summaryFile, summary);
  if (sarifFile !== "") writeFileSync(sarifFile, check("sarif").text);
  if (comment === "true" && pullRequest !== "" && token !== "") {
    try {
      await updateComment(summary);
    } catch (error) {
      stdout.write(
        `::notice::The result is not commented on the pull request: ${error.message}. It is on the summary page of this job.\n`,
      );
    }
  }
}
exit(code);
