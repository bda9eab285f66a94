/** The pages, each fetched when a reader first goes there. */

import type { Component } from "svelte";
import { PAGES, type PageName } from "./routes";

export type Page = Component<Record<string, string>>;

const files = import.meta.glob<{ default: Page }>("../*/*Page.svelte");

/** The component of a page; fails if it cannot be fetched. */
export async function fetchPage(name: PageName): Promise<Page> {
  const path = Object.keys(files).find((each) => each.endsWith(`/${PAGES[name]}.svelte`));
  const file = path === undefined ? undefined : files[path];
  if (file === undefined) throw new Error(`no page ${PAGES[name]}`);
  return (await file()).default;
}
