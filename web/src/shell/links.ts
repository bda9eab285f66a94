/** The main parts of the site, for the top bar and the menu. */

import type { Route } from "./router.svelte";
import { at, hasService } from "./site";

export interface SiteLink {
  name: "play" | "watch" | "learn" | "analysis" | "ladder";
  href: string;
  icon: string;
}

/** Those parts that are here: without a service nobody plays that one could watch or be compared with. */
export function siteLinks(): SiteLink[] {
  const play = { name: "play", href: at("/"), icon: "play" } as const;
  const learn = { name: "learn", href: at("/learn"), icon: "graduation-cap" } as const;
  if (!hasService()) return [play, learn, { name: "analysis", href: at("/analysis"), icon: "eye" }];
  return [
    play,
    { name: "watch", href: at("/#watch"), icon: "eye" },
    learn,
    { name: "ladder", href: at("/ladder"), icon: "trophy" },
  ];
}

const PARTS: Partial<Record<Route["page"], SiteLink["name"]>> = {
  home: "play",
  open: "play",
  analysis: "learn",
  learn: "learn",
  lesson: "learn",
  rulebook: "learn",
  ladder: "ladder",
};

/** The part of the site where the reader is, if it is one of these. */
export function currentPart(route: Route): SiteLink["name"] | null {
  if (route.page === "home" && route.hash === "#watch") return "watch";
  if (route.page === "analysis" && !hasService()) return "analysis";
  return PARTS[route.page] ?? null;
}
