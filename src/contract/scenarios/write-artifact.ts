import type { z } from "zod";
import { parseArtifactFile, renderArtifactFile } from "../documents/artifact-file.ts";
import type { Frozen } from "../documents/snake-case.ts";
import { ARTIFACTS } from "./artifacts.ts";

export type ArtifactName = keyof typeof ARTIFACTS;
export type ArtifactValue<N extends ArtifactName> = Frozen<
  z.output<(typeof ARTIFACTS)[N]["shape"]>
>;

export function writeArtifact<N extends ArtifactName>(name: N, value: ArtifactValue<N>): string {
  return renderArtifactFile<z.ZodObject>(ARTIFACTS[name], value);
}

export function readArtifact<N extends ArtifactName>(name: N, text: string): ArtifactValue<N> {
  return parseArtifactFile<z.ZodObject>(name, ARTIFACTS[name], text) as ArtifactValue<N>;
}
