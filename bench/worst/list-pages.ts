import { explorerPages } from '../../service/src/parts/explorer/pages.ts';
import type { Facts, SearchedRoute } from './list-requests.ts';

/** The pages of the explorer as routes. Theirs is the one parameter that the path names. */
export function listPages(facts: Facts): SearchedRoute[] {
  return explorerPages.map(({ path }) => {
    const values = new Map<string, readonly string[]>();
    for (const [, name] of path.matchAll(/:(\w+)/g)) {
      const known = facts[`pages.${name}`] ?? facts[name!];
      if (known === undefined) throw new Error(`${path}: nothing is known that ${name} could be.`);
      values.set(name!, known);
    }
    return {
      name: `GET ${path} (page)`,
      method: 'GET',
      path: path.replaceAll(/:(\w+)/g, '{$1}'),
      values,
      bodies: [],
    };
  });
}
