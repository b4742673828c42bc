/** Answers that are kept with their ETag, so that a read repeated while nothing has changed costs a 304. */

/** A kept body, as text: each caller gets an object of its own. */
export type KeptAnswer = { readonly etag: string; readonly text: string };

export type EtagCache = {
  find(url: string): KeptAnswer | undefined;
  put(url: string, answer: KeptAnswer): void;
};

/** Longest body that is kept, in characters. */
const maxTextLength = 512 * 1024;

/** A cache of this many answers; those that were not asked for the longest leave it. */
export function createEtagCache(maxEntries: number): EtagCache {
  const kept = new Map<string, KeptAnswer>();
  return {
    find: (url) => kept.get(url),
    put(url, answer) {
      kept.delete(url);
      if (answer.text.length > maxTextLength) return;
      kept.set(url, answer);
      // A Map keeps the order of insertion: the first is the oldest.
      if (kept.size > maxEntries) kept.delete(kept.keys().next().value!);
    },
  };
}
