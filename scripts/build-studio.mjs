// Builds the browser's part into dist/studio and refuses a first load above its limits.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const mostBytes = 200_000;
const mostFiles = 8;
const outDir = new URL("../dist/studio", import.meta.url).pathname;

// What every page needs is one file for the packages and one for the studio's own parts; each page, the palette and
// the charts come when they are opened.
const groups = [
  {
    name: "packages",
    test: /node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|reselect|tabbable|@tanstack|@floating-ui|@base-ui[\\/](?:utils|react[\\/](?!autocomplete|combobox|filter-dropdown|menu)))/,
  },
  {
    name: "parts",
    test: /studio[\\/](?:api|design|app[\\/](?!palette|find-entries|settings-menu)|pages[\\/](?:home|\w+[\\/](?:[\w-]+-queries|title-of|runs-search)))|src[\\/](?:domain|contract)[\\/]|vite[\\/]preload|rolldown/,
  },
  // Drafts, inbox and runs show much of each other, and are one file.
  {
    name: "work",
    test: /studio[\\/]pages[\\/](?:draft|inbox|runs|new-draft)[\\/](?!title-of|runs-search)/,
  },
];

await build({
  root: new URL("../studio", import.meta.url).pathname,
  configFile: false,
  logLevel: "warn",
  plugins: [react()],
  worker: { format: "es" },
  build: {
    outDir,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
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

const sizes = new Map(
  readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(outDir.length), gzipSync(readFileSync(file)).length]),
);
for (const [file, bytes] of sizes)
  console.log(`${file} ${(bytes / 1000).toFixed(1)} kB compressed`);
const page = readFileSync(join(outDir, "index.html"), "utf8");
const first = [
  "/index.html",
  ...[...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path),
];
const total = first.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
console.log(`First load: ${first.length} files, ${(total / 1000).toFixed(1)} kB compressed`);
if (total > mostBytes || first.length > mostFiles) {
  console.error(
    `At most ${mostFiles} files and ${mostBytes} bytes are allowed for the first load.`,
  );
  process.exit(1);
}
