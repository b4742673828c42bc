/** Second names of a path: clients that put a part of their own between the address that they are given and their calls. */

export type PathAliases = {
  /** Whatever is below `alias` is answered as if it were asked for below `path`. */
  add(alias: string, path: string): void;
  /** The URL by which a request is routed. */
  resolve(url: string): string;
};

/** Creates an empty set of aliases. */
export function createPathAliases(): PathAliases {
  const aliases: { beginning: string; path: string }[] = [];
  return {
    add: (alias, path) => void aliases.push({ beginning: `${alias}/`, path: `${path}/` }),
    resolve(url) {
      const found = aliases.find(({ beginning }) => url.startsWith(beginning));
      return found === undefined ? url : found.path + url.slice(found.beginning.length);
    },
  };
}
