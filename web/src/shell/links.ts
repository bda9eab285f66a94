/** The main parts of the site, for the top bar and the menu. */

import type { Route } from "./router.svelte";

export interface SiteLink {
  name: "play" | "watch" | "learn" | "ladder";
  href: string;
  icon: string;
}

export const LINKS: readonly SiteLink[] = [
  { name: "play", href: "/", icon: "play" },
  { name: "watch", href: "/#watch", icon: "eye" },
  { name: "learn", href: "/learn", icon: "graduation-cap" },
  { name: "ladder", href: "/ladder", icon: "trophy" },
];

const PARTS: Partial<Record<Route["page"], SiteLink["name"]>> = {
  home: "play",
  open: "play",
  learn: "learn",
  lesson: "learn",
  rulebook: "learn",
  ladder: "ladder",
};

/** The part of the site where the reader is, if it is one of the four. */
export function currentPart(route: Route): SiteLink["name"] | null {
  if (route.page === "home" && route.hash === "#watch") return "watch";
  return PARTS[route.page] ?? null;
}
