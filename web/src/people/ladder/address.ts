/** Which ladder an address means, and the other way round. No browser here. */

export interface Wanted {
  ruleset: string;
  page: number;
}

const FIRST = "tortuga";
/** The service shows no more. */
const LAST_PAGE = 200;

/** What stands behind the question mark; what makes no sense there is as usual. */
export function wantedLadder(query: URLSearchParams): Wanted {
  const page = Number(query.get("page") ?? 1);
  const isPage = Number.isInteger(page) && page >= 1 && page <= LAST_PAGE;
  return { ruleset: query.get("ruleset") ?? FIRST, page: isPage ? page : 1 };
}

/** The address of a page of the site. */
export function ladderAddress({ ruleset, page }: Wanted): string {
  return page === 1 ? `/ladder?ruleset=${ruleset}` : `/ladder?ruleset=${ruleset}&page=${page}`;
}

/** Where the service tells it. */
export function ladderPath({ ruleset, page }: Wanted): string {
  return `/api/ladder?ruleset=${encodeURIComponent(ruleset)}&page=${page}`;
}
