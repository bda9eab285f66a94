import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** Where `cartagena serve` listens during development. */
const SERVICE = process.env["CARTAGENA_SERVICE"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  // Files name each other by where they lie, so that the site may lie anywhere.
  base: "./",
  build: {
    // The service sends these files; they are a wheel of their own.
    outDir: "package/cartagena_web/files",
    // scripts/browser_pages.py empties it: the parts for devices lie there too.
    emptyOutDir: false,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  worker: { format: "es" },
  server: {
    proxy: {
      "/api": { target: SERVICE, changeOrigin: true },
      "/engine": { target: SERVICE, changeOrigin: true },
    },
  },
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "node",
    // No test replaces a module for another, so they may share what is loaded, in a third of the time.
    pool: "threads",
    isolate: false,
  },
});
