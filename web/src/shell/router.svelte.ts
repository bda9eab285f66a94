/** Where in the site the reader is. `go` leads elsewhere, and so do plain links inside the site. */

import { found, foundWithoutService, type Found } from "./routes";
import { at, BASE, hasService, pathAt } from "./site";

/** The address and the page it means. */
export interface Route extends Found {
  /** As the site names it, such as `/table/123`, wherever the site lies. */
  path: string;
  /** Everything behind the question mark. */
  query: URLSearchParams;
  /** With its `#`, or empty. */
  hash: string;
  /** Grows with each step of the reader, even to the current address. */
  visit: number;
}

class Address {
  route: Route = $state.raw(read(0));
}

const address = new Address();

/** Where the reader is now; a component that reads it is redrawn when it changes. */
export function route(): Route {
  return address.route;
}

/** Go to an address of the site, such as `/table/123`. `replace` leaves no step to come back to. */
export function go(path: string, options: { replace?: boolean } = {}): void {
  follow(location.origin + at(path), options);
}

function follow(href: string, options: { replace?: boolean } = {}): void {
  const before = location.pathname + location.search;
  if (options.replace === true || href === location.href) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  address.route = read(address.route.visit + 1);
  if (location.pathname + location.search !== before) scrollTo(0, 0);
}

/** Follow the browser's own steps and the links of the site; returns a function that stops. */
export function listenToAddress(): () => void {
  const readAgain = (): void => {
    address.route = read(address.route.visit + 1);
  };
  addEventListener("popstate", readAgain);
  document.addEventListener("click", catchLink);
  return () => {
    removeEventListener("popstate", readAgain);
    document.removeEventListener("click", catchLink);
  };
}

function read(visit: number): Route {
  const { search, hash } = location;
  const path = pathAt(location);
  const goal = hasService() ? found(path, hash) : foundWithoutService(path, hash);
  return { ...goal, path, query: new URLSearchParams(search), hash, visit };
}

/** Only plain clicks: the browser itself handles new tabs and downloads. */
function catchLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || !isOurs(link)) return;
  event.preventDefault();
  follow(link.href);
}

function isOurs(link: HTMLAnchorElement): boolean {
  const opensHere = link.target === "" || link.target === "_self";
  if (!opensHere || link.hasAttribute("download") || link.origin !== location.origin) return false;
  // Another site of the same host.
  if (!link.pathname.startsWith(BASE)) return false;
  // Data and files, such as the text of a licence, are not pages.
  if (link.pathname.startsWith("/api/") || /\.\w+$/.test(link.pathname)) return false;
  // A place on the same page: the browser scrolls there and sets the focus, better than we could.
  return !(link.hash !== "" && link.pathname === location.pathname && link.search === location.search);
}
