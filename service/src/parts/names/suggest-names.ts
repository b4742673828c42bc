import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import { namePrefix } from './name-context.ts';
import { listNamesStarting } from './name-store.ts';

type Suggestion = { kind: 'name'; id: string; label: string; path: string };

/** How a name can begin. Names have no capitals, which those who search need not know. */
const START = /^[a-z0-9][a-z0-9-]*(\.[a-z0-9-]*)?$/;

/** Suggests names that were ever registered, by how they begin. */
export function suggestNames({
  names: rules,
}: Pick<CoinProfile, 'names'>): (text: string, view: ChainView, limit: number) => Promise<Suggestion[]> {
  return async (text, { reader }, limit) => {
    const start = text.toLowerCase();
    if (rules === undefined || !START.test(start)) return [];
    const found = await listNamesStarting(reader, start, limit);
    return found.map(({ name }) => ({
      kind: 'name',
      id: name,
      label: name,
      path: `${namePrefix}/name/${name}`,
    }));
  };
}
