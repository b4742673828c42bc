/** A comma between two addresses; one inside of a password stays. */
const BETWEEN_URLS = /\s*,\s*(?=postgres(?:ql)?:\/\/)/;

/** The addresses in a list of them. */
export function splitUrls(list: string): string[] {
  return list.trim().split(BETWEEN_URLS);
}
