/**
 * Where the site lies, and what its addresses look like there.
 *
 * A service has the site at its root and answers at every address. A site of files alone lies below any path, and every
 * address has to be a file there: a page is a folder, and what only the reader's own browser knows, the id of a table,
 * follows the question mark.
 */

const HERE = new URL(import.meta.url).pathname;

/** The path of the home page, with slashes around it: a build puts this module into a folder beside that page. */
export const BASE = HERE.slice(0, HERE.lastIndexOf("/assets/") + 1) || "/";

/** Pages whose name is an id that this browser made. */
const WITH_ID = /^(\/(?:table|replay)\/)([^/]+)$/;
const ID = "id";

/** Whether a service answers here; the pages of a site of files alone say in their first tag that none does. */
export function hasService(): boolean {
  // A worker has no page to read it from.
  return typeof document === "undefined" || document.documentElement.dataset["service"] !== "none";
}

/** The address of a page or a file of the site, such as `/learn`, for a link. */
export function at(path: string): string {
  return BASE + (hasService() ? path : pathOfFile(path)).slice(1);
}

/** What `at` made an address of, such as `/learn`, without what follows the path. */
export function pathAt({ pathname, search }: Pick<URL, "pathname" | "search">): string {
  const path = `/${pathname.slice(BASE.length)}`;
  return hasService() ? path : pathOfPage(path, search);
}

/** The path on a site of files alone. */
export function pathOfFile(path: string): string {
  const [, page = "", query = "", hash = ""] = /^([^?#]*)(\??[^#]*)(.*)$/.exec(path) ?? [];
  if (/\.\w+$/.test(page)) return path;
  const [, folder, id] = WITH_ID.exec(page) ?? [];
  if (folder !== undefined) return `${folder}?${ID}=${id}${query.replace("?", "&")}${hash}`;
  return `${page.endsWith("/") ? page : `${page}/`}${query}${hash}`;
}

/** The reverse: the page that a path on a site of files alone means. */
export function pathOfPage(path: string, search: string): string {
  const page = path.replace(/(?<=.)\/$/, "");
  const id = new URLSearchParams(search).get(ID);
  const whole = `${page}/${id}`;
  return id !== null && WITH_ID.test(whole) ? whole : page;
}
