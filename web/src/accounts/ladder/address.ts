/** Which ladder an address means, and the reverse. No browser here. */

export interface Wanted {
  ruleset: string;
  page: number;
}

const FIRST = "tortuga";
/** The service shows no more pages. */
const LAST_PAGE = 200;

/** The part of the address after the question mark; nonsense there becomes the default. */
export function wantedLadder(query: URLSearchParams): Wanted {
  const page = Number(query.get("page") ?? 1);
  const isPage = Number.isInteger(page) && page >= 1 && page <= LAST_PAGE;
  return { ruleset: query.get("ruleset") ?? FIRST, page: isPage ? page : 1 };
}

/** The path of a page of the site. */
export function ladderAddress({ ruleset, page }: Wanted): string {
  return page === 1 ? `/ladder?ruleset=${ruleset}` : `/ladder?ruleset=${ruleset}&page=${page}`;
}

/** The path of the service that has it. */
export function ladderPath({ ruleset, page }: Wanted): string {
  return `/api/ladder?ruleset=${encodeURIComponent(ruleset)}&page=${page}`;
}
