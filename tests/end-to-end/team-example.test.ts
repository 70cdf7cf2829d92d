import { readdirSync, readFileSync } from "node:fs";
import { Command } from "commander";
import { describe, expect, it, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { createProgram } from "../../src/cli/program.ts";
import type { CliContext } from "../../src/cli/shell/cli-context.ts";
import { describeCommands } from "../../src/cli/shell/command-tree.ts";
import { parseConfig } from "../../src/contract/config/parse-config.ts";

const folder = new URL("../../examples/team/", import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const commands = describeCommands(createProgram(new Command("signoff"), {} as CliContext));

/** Whether the command line knows the command and all its options. */
function expectKnown(words: readonly string[]): void {
  const known = commands
    .filter(({ path }) => path.length > 0 && path.every((word, at) => word === words[at]))
    .sort((one, other) => other.path.length - one.path.length)[0];
  expect(known, words.join(" ")).toBeDefined();
  const names = known?.options.flatMap((option) => option.names) ?? [];
  for (const word of words) if (word.startsWith("--")) expect(names).toContain(word);
}

interface Service {
  readonly command?: readonly string[];
  readonly image?: string;
  readonly depends_on?: { readonly [name: string]: unknown };
  readonly network_mode?: string;
  readonly volumes?: readonly string[];
}

test("every command of the Compose file exists, and what services need is there", () => {
  const { services, volumes } = parse(textOf("compose.yaml"), { merge: true }) as {
    services: { readonly [name: string]: Service };
    volumes: { readonly [name: string]: unknown };
  };
  for (const { command, image, depends_on = {}, network_mode, volumes: used = [] } of Object.values(
    services,
  )) {
    if (image === "signoff") expectKnown(command ?? []);
    for (const needed of Object.keys(depends_on)) expect(services).toHaveProperty(needed);
    if (network_mode !== undefined)
      expect(services).toHaveProperty(network_mode.replace("service:", ""));
    for (const volume of used) {
      const [source = ""] = volume.split(":");
      if (!source.startsWith(".")) expect(volumes).toHaveProperty(source);
    }
  }
});

test("the systemd unit starts a command that exists", () => {
  const [, line = ""] =
    /^ExecStart=\S+ (.+)$/mu.exec(textOf("systemd/signoff-worker.service")) ?? [];
  expectKnown(line.split(" "));
});

test("the workers' settings are settings", () => {
  expect(parseConfig(textOf("signoff.yaml"), "signoff.yaml")).toMatchObject({ kind: "parsed" });
});

interface Pod {
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly ports?: readonly { readonly name: string }[];
    readonly readinessProbe?: {
      readonly httpGet: { readonly path: string; readonly port: string };
    };
    readonly livenessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } };
    readonly volumeMounts?: readonly { readonly name: string }[];
  }[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly configMap?: { readonly name: string };
  }[];
  readonly terminationGracePeriodSeconds?: number;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: { readonly [name: string]: string };
  readonly spec?: {
    readonly selector?: { readonly matchLabels: object };
    readonly template: { readonly metadata?: { readonly labels: object }; readonly spec: Pod };
  };
}

describe("the Kubernetes manifests", () => {
  const manifests = readdirSync(new URL("kubernetes", folder)).flatMap((name) =>
    parseAllDocuments(textOf(`kubernetes/${name}`)).map((one) => one.toJS() as Manifest),
  );

  it("are of kinds and versions that exist", () => {
    const kinds = manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    expect(kinds.sort()).toEqual([
      "apps/v1 Deployment",
      "batch/v1 Job",
      "v1 ConfigMap",
      "v1 ConfigMap",
    ]);
  });

  it("name the project that is migrated: a container that is gone cannot keep a name it made up", () => {
    const settings = manifests.find(({ metadata }) => metadata.name === "signoff-project")?.data;
    const parsed = parseConfig(settings?.["signoff.yaml"] ?? "", "signoff.yaml");
    expect(parsed).toMatchObject({ value: { config: { project: expect.any(String) } } });
  });

  const pods = manifests.flatMap(({ spec }) => (spec === undefined ? [] : [spec]));

  it("select the pods they describe", () => {
    for (const { selector, template } of pods) {
      expect(template.metadata?.labels ?? {}).toMatchObject(selector?.matchLabels ?? {});
    }
  });

  it("start commands that exist, with volumes and probes that are there", () => {
    for (const { spec } of pods.map(({ template }) => template)) {
      const volumes = (spec.volumes ?? []).map(({ name }) => name);
      for (const container of spec.containers) {
        expectKnown(container.args);
        const mounted = (container.volumeMounts ?? []).map(({ name }) => name);
        expect(volumes).toEqual(expect.arrayContaining(mounted));
        const ports = (container.ports ?? []).map(({ name }) => name);
        const probes = [container.readinessProbe, container.livenessProbe].flatMap(
          (probe) => probe?.httpGet ?? [],
        );
        expect(ports).toEqual(expect.arrayContaining(probes.map(({ port }) => port)));
        expect(["/healthz", "/livez"]).toEqual(
          expect.arrayContaining(probes.map(({ path }) => path)),
        );
      }
    }
  });
});
