import { jsonText } from "../../contract/documents/json-text.ts";
import { plainTextOf } from "../../contract/episodes/plain-text.ts";
import { formatOfKind, isAssetKind } from "../../domain/episodes/asset-kind.ts";
import { renderChapters } from "../../domain/episodes/chapter.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { lockedText } from "../../domain/episodes/locked-selection.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { demoScript } from "../../protocol/episodes/demo-script.ts";
import { addInputs } from "./add-inputs.ts";
import { loadMaterial } from "./episode-material.ts";
import { assetStanding } from "./freeze-asset.ts";

const transcript = `00:00 Host: Welcome to the show, today we talk about signing off.
05:00 Guest: A text is done when both sides say so, and not before.
`;
const chapters = "00:00 Intro\n05:00 Main topic\n";

/** The smallest inputs that a loop can work with. */
export async function makeDemoInputs(folder: EpisodeFolder, at: Instant): Promise<void> {
  await addInputs(folder, { transcript, chapters, hosts: [], tracks: [] }, at);
}

/** The replies of the scripted pair, built from the first chapter and the first words; kept with the workspace. */
export async function writeDemoScript(
  folder: EpisodeFolder,
  { assetId, turns }: { readonly assetId: string; readonly turns: number },
): Promise<void> {
  const material = await loadMaterial({ folder });
  const standing = await assetStanding(folder, assetId, material.state);
  const format = isAssetKind(assetId) ? formatOfKind(assetId) : "markdown";
  const { selection, isTextLocked } = standing;
  const locked =
    selection !== undefined && isTextLocked
      ? lockedText(selection, format, plainTextOf)
      : undefined;
  const script = demoScript(assetId, {
    chapter: renderChapters(material.chapters.slice(0, 1)).trim() || "Intro",
    line: /\S.*/.exec(material.transcript)?.[0].trim() ?? "",
    turns: Math.max(turns, standing.protocol?.maxIterations ?? 0),
    ...defined({ lockedText: locked }),
  });
  await folder.write([
    { path: layout.provenance("scripts", assetId), content: jsonText(script as unknown as Json) },
  ]);
}
