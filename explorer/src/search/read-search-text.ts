/** What somebody typed or pasted into the search, as it is asked for. */

/** As long as the API takes it: a payment URI may have a long message. */
export const mostSearched = 1_000;

/** What stands in a payment link, or in an address of our own pages; any other text is what it is. */
export function readSearchText(given: string): string {
  const inUri = /^[a-z][a-z0-9+.-]*:([A-Za-z0-9]{20,120})(?:\?.*)?$/.exec(given)?.[1];
  if (inUri !== undefined) return inUri;
  const inPage = /^https?:\/\/[^/]+\/(?:block|tx|address|name|token|proof|pay)\/([^/?#]+)/.exec(given)?.[1];
  // A surrogate without its other half cannot be part of a URL, and cutting may leave one.
  return (inPage === undefined ? given : decode(inPage)).slice(0, mostSearched).toWellFormed();
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
