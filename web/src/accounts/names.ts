/** How long names may be; the service has the last word. */

export const LONGEST_NAME = 24;
export const LONGEST_LABEL = 60;
export const LONGEST_REPORT = 1000;
