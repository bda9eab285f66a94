import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** Where `cartagena serve` listens during development. */
const SERVICE = process.env["CARTAGENA_SERVICE"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  build: {
    // The service serves these files from inside the package.
    outDir: "../src/cartagena/server/pages/files",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: { proxy: { "/api": { target: SERVICE, changeOrigin: true } } },
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "node",
    // No test replaces a module for another, so they may share what is loaded, in a third of the time.
    pool: "threads",
    isolate: false,
  },
});
