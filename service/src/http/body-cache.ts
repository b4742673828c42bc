/**
 * Keeps bodies that were already written for the present snapshot.
 *
 * A body is a function of its URL and of its ETag, so it is right for as long as the ETag is, and everything is
 * forgotten when that changes: nothing here can be stale. What many clients ask again between two blocks - the
 * front page, a busy address, the latest block - costs no reads.
 */

/** One written body. */
export type WrittenBody = { text: string; contentType: string; cacheControl: string };

export type BodyCache = {
  find(tag: string, url: string): WrittenBody | undefined;
  put(tag: string, url: string, body: WrittenBody): void;
};

/** Bodies above this many characters are not kept. */
const maxBodyLength = 262_144;

/**
 * Creates a cache of `maxLength` characters, URLs counted. Half of it is a generation: when the younger one is
 * full, the older one is dropped, so that what is asked often survives and no list of ages is kept.
 */
export function createBodyCache(maxLength: number): BodyCache {
  let presentTag = '';
  let young = new Map<string, WrittenBody>();
  let old = new Map<string, WrittenBody>();
  let youngLength = 0;

  function add(url: string, body: WrittenBody): void {
    const length = url.length + body.text.length;
    if (youngLength + length > maxLength / 2) {
      old = young;
      young = new Map();
      youngLength = 0;
    }
    young.set(url, body);
    youngLength += length;
  }

  return {
    find(tag, url) {
      if (tag !== presentTag) return undefined;
      const body = young.get(url);
      if (body !== undefined) return body;
      const aged = old.get(url);
      if (aged === undefined) return undefined;
      old.delete(url);
      add(url, aged);
      return aged;
    },
    put(tag, url, body) {
      if (tag !== presentTag) {
        presentTag = tag;
        young = new Map();
        old = new Map();
        youngLength = 0;
      }
      const fits = body.text.length <= Math.min(maxBodyLength, maxLength / 2);
      if (fits && !young.has(url)) add(url, body);
    },
  };
}
