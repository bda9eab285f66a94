/** The club's own provider: where the browser goes to sign in, and the result. */

/** Problems with which the service sends a browser back to the page for signing in. */
const PROBLEMS = ["wrong_proof", "unavailable", "forbidden", "name_taken", "unfit", "needs_proof"] as const;

export type ClubProblem = (typeof PROBLEMS)[number];

/** The address that leads to the provider and from there to a page of the site. */
export function clubAddress(back: string, joins: boolean): string {
  const asked = new URLSearchParams({ back });
  if (joins) asked.set("joins", "true");
  return `/api/sign-in/club?${asked.toString()}`;
}

/** Why signing in through the club failed, from the query of the address; null if nothing went wrong. */
export function clubProblem(query: URLSearchParams): ClubProblem | null {
  const told = query.get("club");
  if (told === null) return null;
  return PROBLEMS.find((problem) => problem === told) ?? "wrong_proof";
}
