/**
 * Keeps bodies that were already written for the present snapshot.
 *
 * A body is a function of its URL and of its ETag, so it is right for as long as the ETag is, and everything is
 * forgotten when that changes: nothing here can be stale. What many clients ask again between two blocks - the
 * front page, a busy address, the latest block - costs no reads.
 */

import type { CompressedForms } from './compressed-answers.ts';
import type { CacheLoad } from './load-metrics.ts';

/** One written body, with what it became for clients that take it compressed. */
export type WrittenBody = {
  readonly text: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly forms: CompressedForms;
};

export type BodyCache = {
  find(tag: string, url: string): WrittenBody | undefined;
  put(tag: string, url: string, body: WrittenBody): void;
  load(): CacheLoad;
};

/** Bodies above this many characters are not kept. */
const maxBodyLength = 262_144;

/**
 * Creates a cache of `maxLength` characters, URLs and compressed forms counted. Half of it is a generation: when the younger one is
 * full, the older one is dropped, so that what is asked often survives and no list of ages is kept.
 */
export function createBodyCache(maxLength: number): BodyCache {
  let presentTag = '';
  let young = new Map<string, Kept>();
  let old = new Map<string, Kept>();
  let youngLength = 0;
  let oldLength = 0;
  let [hits, misses] = [0, 0];

  function add(url: string, body: WrittenBody): void {
    const length = lengthOf(url, body);
    if (youngLength + length > maxLength / 2) {
      old = young;
      oldLength = youngLength;
      young = new Map();
      youngLength = 0;
    }
    young.set(url, { body, counted: length });
    youngLength += length;
  }

  /** What was compressed since is counted when the body is found again. */
  function countAgain(url: string, kept: Kept): void {
    const length = lengthOf(url, kept.body);
    youngLength += length - kept.counted;
    kept.counted = length;
  }

  function findKept(tag: string, url: string): WrittenBody | undefined {
    if (tag !== presentTag) return undefined;
    const kept = young.get(url);
    if (kept !== undefined) {
      countAgain(url, kept);
      return kept.body;
    }
    const aged = old.get(url);
    if (aged === undefined) return undefined;
    old.delete(url);
    oldLength -= aged.counted;
    add(url, aged.body);
    return aged.body;
  }

  return {
    load: () => ({ hits, misses, length: youngLength + oldLength }),
    find(tag, url) {
      const body = findKept(tag, url);
      if (body === undefined) misses += 1;
      else hits += 1;
      return body;
    },
    put(tag, url, body) {
      if (tag !== presentTag) {
        presentTag = tag;
        young = new Map();
        old = new Map();
        youngLength = 0;
        oldLength = 0;
      }
      const fits = body.text.length <= Math.min(maxBodyLength, maxLength / 2);
      if (fits && !young.has(url)) add(url, body);
    },
  };
}

/** A body that is kept, and the length it was counted with. */
type Kept = { readonly body: WrittenBody; counted: number };

function lengthOf(url: string, { text, forms }: WrittenBody): number {
  let length = url.length + text.length;
  for (const form of forms.values()) length += form.length;
  return length;
}
