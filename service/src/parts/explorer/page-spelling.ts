import { explorerPages } from './pages.ts';

const paths = [...explorerPages.map(({ path }) => path), '/search'];
const plain = new Set(paths.filter((path) => !path.includes(':')));
const withParameter = new Set(paths.filter((path) => path.includes(':')).map((path) => path.split('/:')[0]));

/**
 * The address of the page that somebody means who writes its name in capitals or a slash behind it; undefined where there is no
 * such page. What follows the name stays as it is: there capitals mean something.
 */
export function findSpelling(url: string): string | undefined {
  const found = /^(\/[a-z-]+)(\/[^/?]+)?\/*(\?.*)?$/i.exec(url);
  if (found === null) return undefined;
  const [, name = '', parameter = '', query = ''] = found;
  const page = name.toLowerCase();
  const isPage = parameter === '' ? plain.has(page) : withParameter.has(page);
  const meant = page + parameter + query;
  return isPage && meant !== url ? meant : undefined;
}
