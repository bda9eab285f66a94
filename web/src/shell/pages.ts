/** The pages, each fetched when a reader first goes there. */

import type { Component } from "svelte";
import { PAGES, type PageName } from "./routes";
import { hasService } from "./site";

export type Page = Component<Record<string, string>>;

/** `ready` is there if a page has to wait for more than itself. */
const files = import.meta.glob<{ default: Page; ready?: Promise<void> }>("../*/*Page.svelte");

/** The home page where no service answers: no lobby. */
const FRONT = "FrontPage";

/** The component of a page; fails if it cannot be fetched. */
export async function fetchPage(name: PageName): Promise<Page> {
  const component = name === "home" && !hasService() ? FRONT : PAGES[name];
  const path = Object.keys(files).find((each) => each.endsWith(`/${component}.svelte`));
  const file = path === undefined ? undefined : files[path];
  if (file === undefined) throw new Error(`no page ${component}`);
  const { default: page, ready } = await file();
  await ready;
  return page;
}
