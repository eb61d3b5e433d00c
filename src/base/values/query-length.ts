/** How long a query for search providers may be. */

/** Characters: what Brave and Tavily document, the lowest limit of all providers. */
export const maxQueryLength = 400;
