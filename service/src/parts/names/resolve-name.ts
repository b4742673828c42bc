import { encodeAddress } from '@coinfront/protocol/address.ts';
import { doesNameResolve } from '@coinfront/protocol/names/name-availability.ts';
import { parseName } from '@coinfront/protocol/names/name-syntax.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { ChainView, ReadChain } from '../../chain/chain-view.ts';
import { readInStep } from '../../chain/read-in-step.ts';
import { AppError } from '../../errors.ts';
import { namePrefix } from './name-context.ts';
import { findName, type StoredName } from './name-store.ts';

/**
 * Says which address a name stands for, for somebody who is about to pay it; undefined where the coin has no registry.
 *
 * The function throws AppError `not_ready` while the index is behind the node: coins would go to an earlier owner.
 */
export function createNameResolver(
  readChain: ReadChain,
  profile: CoinProfile,
  now: () => number,
): ((name: string) => Promise<string | undefined>) | undefined {
  const { names: rules } = profile;
  if (rules === undefined) return undefined;
  return async (text) => {
    const parsed = parseName(text, rules);
    if (!parsed.ok) return undefined;
    const found = await readInStep({ readChain, now }, (view) => findResolving(view, parsed.value.name));
    if (found !== undefined) return found.value && encodeAddress(found.value.owner, profile);
    throw new AppError(
      'not_ready',
      'The index is behind the node, so that the name could stand for an earlier owner. Give an address, or try again.',
      { 'retry-after': '5' },
    );
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
