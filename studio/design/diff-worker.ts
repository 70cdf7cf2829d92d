import { diffTexts } from "./diff-texts.ts";
import { blocksOf } from "./text-blocks.ts";

/** Compares long texts outside the page, so that typing and scrolling never wait for it. */
self.addEventListener("message", ({ data }: MessageEvent<readonly [string, string]>) => {
  self.postMessage(blocksOf(diffTexts(data[0], data[1])));
});
