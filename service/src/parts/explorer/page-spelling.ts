import { explorerPages } from './pages.ts';

const paths = [...explorerPages.map(({ path }) => path), '/search'];
const plain = new Set(paths.filter((path) => !path.includes(':')));
const withParameter = new Set(paths.filter((path) => path.includes(':')).map((path) => path.split('/:')[0]));

/**
 * The address of the page that somebody means who writes its name in capitals or a slash behind it; undefined where there is no
 * such page. What follows the name stays as it is: there capitals mean something.
 */
export function findSpelling(url: string): string | undefined {
  const found = /^((?:\/[^/?]+)+)\/*(\?.*)?$/.exec(url);
  if (found === null) return undefined;
  const [, path = '', query = ''] = found;
  const page = findPage(path);
  return page !== undefined && page + query !== url ? page + query : undefined;
}

function findPage(path: string): string | undefined {
  const whole = path.toLowerCase();
  if (plain.has(whole)) return whole;
  const end = path.lastIndexOf('/');
  const name = whole.slice(0, end);
  return withParameter.has(name) ? name + path.slice(end) : undefined;
}
