/** Which page an address means. No browser here, so that tests can read it. */

import { isOnDevice } from "../api/transport";

/** A page of the client by its name, and what the address tells it. */
export interface Found {
  page: PageName;
  props: Record<string, string>;
}

/** Each page with the name of its component; several addresses may lead to one page. */
export const PAGES = {
  home: "HomePage",
  open: "OpenTablePage",
  device: "DevicePage",
  analysis: "AnalysisPage",
  table: "TablePage",
  replay: "ReplayPage",
  learn: "LearnPage",
  lesson: "LessonPage",
  rulebook: "RulebookPage",
  player: "PlayerPage",
  ladder: "LadderPage",
  account: "AccountPage",
  signIn: "SignInPage",
  settings: "SettingsPage",
  credits: "CreditsPage",
  notFound: "NotFoundPage",
} as const;

export type PageName = keyof typeof PAGES;

/** Addresses in the order in which they are tried; `:name` matches one part of the path. */
const ADDRESSES: readonly (readonly [string, PageName])[] = [
  ["/", "home"],
  ["/open", "open"],
  ["/device", "device"],
  ["/analysis", "analysis"],
  ["/table/:id", "table"],
  ["/replay/:id", "replay"],
  ["/learn", "learn"],
  ["/learn/:name", "lesson"],
  ["/rules", "rulebook"],
  ["/rules/:family", "rulebook"],
  ["/player/:id", "player"],
  ["/ladder", "ladder"],
  ["/account", "account"],
  ["/sign-in", "signIn"],
  ["/settings", "settings"],
  ["/credits", "credits"],
];

/** What a site of files alone has; its tables and replays are those of the device. */
const WITHOUT_SERVICE: ReadonlySet<PageName> = new Set<PageName>([
  "home",
  "analysis",
  "device",
  "table",
  "replay",
  "learn",
  "lesson",
  "rulebook",
  "settings",
  "credits",
]);

/** `found`, where no service answers. */
export function foundWithoutService(path: string, hash = ""): Found {
  const goal = found(path, hash);
  const isElsewhere =
    (goal.page === "table" || goal.page === "replay") && !isOnDevice(goal.props["id"] ?? "");
  return WITHOUT_SERVICE.has(goal.page) && !isElsewhere ? goal : { page: "notFound", props: {} };
}

/** The page for a path and a fragment; the rulebook is told which rule the fragment names. */
export function found(path: string, hash = ""): Found {
  const parts = partsOf(path);
  for (const [pattern, page] of ADDRESSES) {
    const props = matched(partsOf(pattern), parts);
    if (props === null) continue;
    if (page === "rulebook" && hash.length > 1) props["rule"] = decoded(hash.slice(1));
    return { page, props };
  }
  return { page: "notFound", props: {} };
}

/** `decodeURIComponent` without the exception: an address can be any text. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function matched(pattern: string[], parts: string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null;
  const props: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const part = parts[index] ?? "";
    if (wanted.startsWith(":")) props[wanted.slice(1)] = decoded(part);
    else if (wanted !== part) return null;
  }
  return props;
}
