// Builds the browser's part into dist/studio and refuses a first load above its limit.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const mostBytes = 300_000;
const outDir = new URL("../dist/studio", import.meta.url).pathname;

await build({
  root: new URL("../studio", import.meta.url).pathname,
  configFile: false,
  logLevel: "warn",
  plugins: [react()],
  build: { outDir, emptyOutDir: true, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
});

// The matrix alone on a page, for the browser tests and the frame figures; not part of the package.
const matrix = new URL("../studio/testing/matrix-page.tsx", import.meta.url).pathname;
await build({
  configFile: false,
  logLevel: "warn",
  plugins: [react()],
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: {
    outDir: new URL("../dist/studio-testing", import.meta.url).pathname,
    emptyOutDir: true,
    lib: {
      entry: matrix,
      formats: ["iife"],
      name: "matrixPage",
      fileName: () => "matrix.js",
      cssFileName: "matrix",
    },
  },
});

const sizes = readdirSync(outDir, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((file) => ({ file: file.slice(outDir.length), bytes: gzipSync(readFileSync(file)).length }));
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
for (const { file, bytes } of sizes)
  console.log(`${file} ${(bytes / 1000).toFixed(1)} kB compressed`);
if (total > mostBytes) {
  console.error(`The studio has ${total} bytes compressed; ${mostBytes} are allowed.`);
  process.exit(1);
}
