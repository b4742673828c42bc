import { encodeAddress } from '@coinfront/protocol/address.ts';
import { doesNameResolve } from '@coinfront/protocol/names/name-availability.ts';
import { parseName } from '@coinfront/protocol/names/name-syntax.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { ChainView, ReadChain } from '../../chain/chain-view.ts';
import { namePrefix } from './name-context.ts';
import { findName, type StoredName } from './name-store.ts';

/** Says what a name stands for: undefined where the coin has no registry. */
export function createNameResolver(
  readChain: ReadChain,
  profile: CoinProfile,
): ((name: string) => Promise<string | undefined>) | undefined {
  const { names: rules } = profile;
  if (rules === undefined) return undefined;
  return async (text) => {
    const parsed = parseName(text, rules);
    if (!parsed.ok) return undefined;
    return await readChain(async (view) => {
      const record = await findResolving(view, parsed.value.name);
      return record && encodeAddress(record.owner, profile);
    });
  };
}

/** A name's record while the name resolves. */
export async function findResolving(view: ChainView, name: string): Promise<StoredName | undefined> {
  const record = await findName(view.reader, name);
  return view.tip && record && doesNameResolve(record, view.tip.height) ? record : undefined;
}

type Hit = { kind: 'name'; id: string; path: string };

/** Finds names that were ever registered, for the search. */
export function findNameHits({
  names: rules,
}: Pick<CoinProfile, 'names'>): (text: string, view: ChainView) => Promise<Hit[]> {
  return async (text, view) => {
    const parsed = rules && parseName(text, rules);
    if (!parsed?.ok) return [];
    const { name } = parsed.value;
    const isKnown = (await findName(view.reader, name)) !== undefined;
    return isKnown ? [{ kind: 'name', id: name, path: `${namePrefix}/name/${name}` }] : [];
  };
}
