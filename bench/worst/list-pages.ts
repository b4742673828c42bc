import { explorerPages } from '../../service/src/parts/explorer/pages.ts';
import type { MeasuredProcess } from '../service-process.ts';
import type { Facts, SearchedRoute } from './list-requests.ts';

/**
 * Looks whether there are pages at all.
 *
 * @throws Error where the explorer was not built: 404s would be measured in their place
 */
export async function checkPages({ origin }: Pick<MeasuredProcess, 'origin'>): Promise<void> {
  for (const { path } of explorerPages.filter(({ path }) => !path.includes(':'))) {
    const answer = await fetch(origin + path, { headers: { accept: 'text/html' } });
    await answer.arrayBuffer();
    if (answer.status !== 404) continue;
    throw new Error(
      `GET ${path} (page) answers 404: the explorer is not built. Build it with: npm run build`,
    );
  }
}

/** The pages of the explorer as routes. Theirs is the one parameter that the path names; of the search what is searched for. */
export function listPages(facts: Facts): SearchedRoute[] {
  const pages = explorerPages.map(({ path }): SearchedRoute => {
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
      fresh: [],
    };
  });
  const search = new Map([['q', facts.q ?? []]]);
  const name = 'GET /search (page)';
  return [...pages, { name, method: 'GET', path: '/search', values: search, bodies: [], fresh: [] }];
}
