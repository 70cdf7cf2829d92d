import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  compactVerdicts,
  countingVerdict,
  type FiledVerdict,
  fitsPair,
  missingVerdict,
} from "../../domain/gates/counting-verdict.ts";
import type { Settled } from "../../domain/gates/decision.ts";
import type { PairDigests } from "../../domain/gates/pair-digests.ts";
import { type LockLine, parseLock, renderLock } from "./lock-file.ts";

/** HISTORIES=10000 runs the long campaign, with 50 histories in real repositories. */
const { HISTORIES } = env;
const histories = Number(HISTORIES ?? 500);
const realHistories = HISTORIES === undefined ? 5 : 50;

const hash = (text: string) => createHash("sha1").update(text).digest("hex");
const digestOf = (text: string) => hash(text).slice(0, 32);

/** What a branch holds: the part of the note that the gate watches, the part it does not, the gate, and the lock. */
interface Tree {
  readonly watched: string;
  readonly unwatched: string;
  readonly gate: string;
  readonly lock: string;
}

interface Repository {
  read(branch: string): Tree;
  commit(branch: string, tree: Tree): void;
  branch(from: string, name: string): void;
  merge(into: string, from: string): void;
  remove(): void;
}

const start: Tree = { watched: "1", unwatched: "1", gate: "1", lock: "" };

interface Commit {
  readonly tree: Tree;
  /** Itself included; later commits have higher numbers. */
  readonly ancestors: ReadonlySet<number>;
}

/** As git merges: a side that changed something wins over one that did not, and both sides' new lines are kept. */
class ModelRepository implements Repository {
  readonly #commits: Commit[] = [{ tree: start, ancestors: new Set([0]) }];
  readonly #branches = new Map([["main", 0]]);
  #tip(branch: string): Commit {
    return this.#commits[this.#branches.get(branch) ?? 0] ?? { tree: start, ancestors: new Set() };
  }
  #add(branch: string, tree: Tree, ...parents: readonly Commit[]): void {
    const number = this.#commits.length;
    const ancestors = new Set([number, ...parents.flatMap((one) => [...one.ancestors])]);
    this.#commits.push({ tree, ancestors });
    this.#branches.set(branch, number);
  }
  read(branch: string): Tree {
    return this.#tip(branch).tree;
  }
  commit(branch: string, tree: Tree): void {
    this.#add(branch, tree, this.#tip(branch));
  }
  branch(from: string, name: string): void {
    this.#branches.set(name, this.#branches.get(from) ?? 0);
  }
  merge(into: string, from: string): void {
    const [left, right] = [this.#tip(into), this.#tip(from)];
    const shared = [...left.ancestors].filter((one) => right.ancestors.has(one));
    const base = this.#commits[Math.max(...shared)]?.tree ?? start;
    const [ours, theirs] = [left.tree, right.tree];
    const pick = (part: "watched" | "unwatched" | "gate") =>
      ours[part] === base[part] ? theirs[part] : ours[part];
    const parts = { watched: pick("watched"), unwatched: pick("unwatched"), gate: pick("gate") };
    this.#add(into, { ...parts, lock: unionOf(base.lock, ours.lock, theirs.lock) }, left, right);
  }
  remove(): void {}
}

function unionOf(...[base, ours, theirs]: readonly [string, string, string]): string {
  const [then, left, right] = [base, ours, theirs].map((text) => new Set(text.split("\n")));
  const isKept = (line: string): boolean =>
    then?.has(line) === true ? left?.has(line) === true && right?.has(line) === true : true;
  const all = new Set([...(left ?? []), ...(right ?? [])]);
  return [...all]
    .filter((line) => line !== "" && isKept(line))
    .map((line) => `${line}\n`)
    .join("");
}

class GitRepository implements Repository {
  readonly #trees = new Map<string, Tree>();
  readonly #root = mkdtempSync(join(tmpdir(), "signoff-histories-"));
  constructor() {
    this.#git("init", "--quiet", "--initial-branch=main");
    this.#git("config", "user.name", "Ada");
    this.#git("config", "user.email", "ada@example.org");
    writeFileSync(join(this.#root, ".gitattributes"), "lock merge=union\n");
    this.#write(start);
  }
  #git(...args: readonly string[]): string {
    return execFileSync("git", args, { cwd: this.#root, encoding: "utf8", stdio: "pipe" });
  }
  #write({ watched, unwatched, gate, lock }: Tree): void {
    const files = { watched, unwatched, gate, lock };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.#root, name), text);
    this.#git("add", "--all");
    this.#git("commit", "--quiet", "--allow-empty", "--message", "Go on");
  }
  read(branch: string): Tree {
    const known = this.#trees.get(branch) ?? this.#readFiles(branch);
    this.#trees.set(branch, known);
    return known;
  }
  #readFiles(branch: string): Tree {
    this.#git("checkout", "--quiet", branch);
    const text = (name: string) => readFileSync(join(this.#root, name), "utf8");
    return {
      watched: text("watched"),
      unwatched: text("unwatched"),
      gate: text("gate"),
      lock: text("lock"),
    };
  }
  commit(branch: string, tree: Tree): void {
    this.#git("checkout", "--quiet", branch);
    this.#write(tree);
    this.#trees.set(branch, tree);
  }
  branch(from: string, name: string): void {
    this.#git("checkout", "--quiet", "-B", name, from);
    this.#trees.delete(name);
  }
  merge(into: string, from: string): void {
    this.#git("checkout", "--quiet", into);
    this.#git("merge", "--quiet", "--no-edit", "-X", "ours", from);
    this.#trees.delete(into);
  }
  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** A verdict with what it really is about, which older lines do not say. */
type Filed = FiledVerdict & { readonly line: LockLine; readonly about: PairDigests };

const contents = new Map<string, PairDigests>();

function filedIn(line: LockLine): Filed {
  const { acceptedNoteSha: noteBlob, acceptedGateSha: gateBlob, decision, kind, digests } = line;
  const about = contents.get(`${noteBlob} ${gateBlob}`) ?? { note: "", gate: "" };
  return {
    noteBlob,
    gateBlob,
    decision,
    kind,
    line,
    about,
    ...(digests === undefined ? {} : { digests }),
  };
}

function versionsOf({ watched, unwatched, gate }: Tree) {
  return {
    noteBlob: hash(`note ${watched} ${unwatched}`),
    gateBlob: hash(`gate ${gate}`),
    digests: { note: digestOf(watched), gate: digestOf(gate) },
  };
}

function fitting(filed: readonly Filed[], tree: Tree): readonly Filed[] {
  const { digests, ...blobs } = versionsOf(tree);
  // The texts of older lines are in git's history.
  const present = { ...blobs, digests: () => digests, formerDigests: () => ({}) };
  return filed.filter((one) => fitsPair(one, present, () => one.about));
}

interface Act {
  readonly kind:
    | "edit-watched"
    | "edit-unwatched"
    | "edit-gate"
    | "review"
    | "review-again"
    | "vote"
    | "compact"
    | "branch"
    | "merge";
  readonly person: number;
  readonly branch: number;
  readonly other: number;
  readonly version: number;
  readonly decision: Settled;
  readonly isOld: boolean;
}

const acts = fc.array(
  fc.record<Act>({
    kind: fc.constantFrom(
      ...([
        "edit-watched",
        "edit-watched",
        "edit-unwatched",
        "edit-gate",
        "review",
        "review",
        "review",
      ] as const),
      ...(["review-again", "vote", "compact", "compact", "branch", "merge", "merge"] as const),
    ),
    person: fc.nat(1),
    branch: fc.nat(2),
    other: fc.nat(2),
    version: fc.integer({ min: 1, max: 2 }),
    decision: fc.constantFrom("pass", "pass", "warn", "fail"),
    isOld: fc.boolean(),
  }),
  { minLength: 5, maxLength: 40, size: "max" },
);

const branches = ["main", "left", "right"];

/** Two people with a store each, three branches, and all that the locks of the branches ever said. */
class History {
  readonly #repository: Repository;
  readonly #stores: readonly Filed[][] = [[], []];
  readonly #said = new Map<string, Filed[]>();

  constructor(repository: Repository) {
    this.#repository = repository;
    for (const name of branches.slice(1)) repository.branch("main", name);
  }

  apply(act: Act): void {
    const branch = branches[act.branch] ?? "main";
    const other = branches[act.other] ?? "main";
    const tree = this.#repository.read(branch);
    const version = String(act.version);
    if (act.kind === "edit-watched") this.#commit(branch, { ...tree, watched: version });
    else if (act.kind === "edit-unwatched") this.#commit(branch, { ...tree, unwatched: version });
    else if (act.kind === "edit-gate") this.#commit(branch, { ...tree, gate: version });
    else if (act.kind === "branch") this.#fork(other, branch);
    else if (act.kind === "merge") this.#merge(branch, other);
    else {
      if (act.kind !== "compact") this.#review(act, tree);
      this.#write(act, branch);
    }
  }

  #fork(from: string, name: string): void {
    if (name === "main" || name === from) return;
    this.#repository.branch(from, name);
    this.#said.set(name, [...(this.#said.get(from) ?? [])]);
  }

  #merge(into: string, from: string): void {
    if (into === from) return;
    this.#repository.merge(into, from);
    this.#note(into, this.#said.get(from) ?? []);
    this.#check(into);
  }

  #review(act: Act, tree: Tree): void {
    const store = this.#stores[act.person] ?? [];
    const known = fitting([...store, ...linesOf(tree)], tree);
    if (act.kind === "review" && known.length > 0) return;
    const { digests, noteBlob, gateBlob } = versionsOf(tree);
    contents.set(`${noteBlob} ${gateBlob}`, digests);
    const kind = act.kind === "vote" ? "vote" : "full-review";
    const line: LockLine = {
      ...{ notePath: "notes/prices.md", gateId: "prose/calm", modelId: "gpt-5" },
      ...{ acceptedNoteSha: noteBlob, acceptedGateSha: gateBlob, decision: act.decision, kind },
      ...{ format: "gates/2", findings: [], ...(act.isOld ? {} : { digests }) },
    };
    store.push(filedIn(line));
  }

  #write({ person, kind }: Act, branch: string): void {
    const tree = this.#repository.read(branch);
    const [locked, stored] = [linesOf(tree), this.#stores[person] ?? []];
    const [now, known] = [fitting(locked, tree), fitting(stored, tree)];
    const others = locked.filter((one) => !now.includes(one));
    const missing = missingVerdict(now, known);
    const kept =
      kind === "compact"
        ? compactVerdicts([...now, ...known], others)
        : [...locked, ...(missing === undefined ? [] : [missing])];
    this.#note(branch, kept);
    this.#commit(branch, { ...tree, lock: renderLock(kept.map(({ line }) => line)) });
    const written = this.#repository.read(branch);
    const alone = countingVerdict(fitting(linesOf(written), written));
    const together = countingVerdict(fitting([...linesOf(written), ...stored], written));
    expect(alone?.decision).toBe(together?.decision);
  }

  #commit(branch: string, tree: Tree): void {
    this.#repository.commit(branch, tree);
    this.#check(branch);
  }

  #note(branch: string, lines: readonly Filed[]): void {
    this.#said.set(branch, [...(this.#said.get(branch) ?? []), ...lines]);
  }

  /** What the lock alone says must not be better than anything it ever said of the same content, but for a vote. */
  #check(branch: string): void {
    const tree = this.#repository.read(branch);
    const counts = countingVerdict(fitting(linesOf(tree), tree));
    if (counts === undefined || counts.kind === "vote") return;
    const { digests } = versionsOf(tree);
    const said = (this.#said.get(branch) ?? []).filter(
      (one) =>
        one.kind !== "vote" && one.about.note === digests.note && one.about.gate === digests.gate,
    );
    const worst = Math.max(0, ...said.map(({ decision }) => order.indexOf(decision)));
    expect(order.indexOf(counts.decision)).toBeGreaterThanOrEqual(worst);
    expect(counts.about).toEqual(digests);
  }
}

const order: readonly Settled[] = ["pass", "warn", "fail"];

function linesOf({ lock }: Tree): readonly Filed[] {
  return parseLock(lock).lines.map(filedIn);
}

function holdsFor(create: () => Repository, runs: number): void {
  fc.assert(
    fc.property(acts, (all) => {
      const repository = create();
      try {
        const history = new History(repository);
        for (const act of all) history.apply(act);
      } finally {
        repository.remove();
      }
    }),
    { numRuns: runs },
  );
}

it(`in ${histories} histories no worse verdict becomes better, and what fits counts`, () => {
  holdsFor(() => new ModelRepository(), histories);
}, 600_000);

it(`in ${realHistories} histories with real git no worse verdict becomes better, and what fits counts`, () => {
  holdsFor(() => new GitRepository(), realHistories);
}, 600_000);

it("a failed version that comes back does not pass after the lock was compacted", () => {
  const act = {
    branch: 0,
    other: 0,
    person: 0,
    version: 1,
    decision: "pass",
    isOld: false,
  } as const;
  const history = new History(new ModelRepository());
  history.apply({ ...act, kind: "review", decision: "fail" });
  history.apply({ ...act, kind: "edit-watched", version: 2 });
  history.apply({ ...act, kind: "review" });
  history.apply({ ...act, kind: "compact" });
  history.apply({ ...act, kind: "edit-watched" });
  history.apply({ ...act, kind: "review-again", person: 1 });
  history.apply({ ...act, kind: "compact", person: 1 });
});
