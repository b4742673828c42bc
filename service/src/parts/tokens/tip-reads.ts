import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { Reader } from '../../db/database.ts';
import type { IndexedToken } from './token-rows.ts';
import {
  findBalance,
  findNumberedToken,
  findScriptNumber,
  findToken,
  listHeldBalances,
} from './token-store.ts';

/** The tokens of a snapshot, each thing read once: where many operations wait, the same is asked for by each of them. */
export type TipReads = {
  findToken(tokenId: Uint8Array): Promise<IndexedToken | undefined>;
  findNumberedToken(number: number): Promise<IndexedToken | undefined>;
  findBalance(script: Uint8Array, tokenNumber: number): Promise<bigint>;
  /** Numbers of the tokens that a script has something of, ascending: the first so many. */
  listHeld(script: Uint8Array, count: number): Promise<readonly number[]>;
};

/** Opens what a snapshot has. */
export function openTipReads(reader: Reader): TipReads {
  const tokens = new Map<string, Promise<IndexedToken | undefined>>();
  const numbered = new Map<number, Promise<IndexedToken | undefined>>();
  const scripts = new Map<string, Promise<number | undefined>>();
  const balances = new Map<string, Promise<bigint>>();
  /** By script: what was listed so far, and whether that is all. */
  const held = new Map<string, { numbers: number[]; isWhole: boolean }>();

  const findScript = (script: Uint8Array): Promise<number | undefined> =>
    remember(scripts, bytesToHex(script), () => findScriptNumber(reader, script));

  return {
    findToken: (tokenId) => remember(tokens, bytesToHex(tokenId), () => findToken(reader, tokenId)),
    findNumberedToken: (number) => remember(numbered, number, () => findNumberedToken(reader, number)),
    findBalance: (script, tokenNumber) =>
      remember(balances, `${bytesToHex(script)}:${tokenNumber}`, async () => {
        const scriptId = await findScript(script);
        return scriptId === undefined ? 0n : await findBalance(reader, scriptId, tokenNumber);
      }),
    async listHeld(script, count) {
      const scriptId = await findScript(script);
      if (scriptId === undefined) return [];
      const key = bytesToHex(script);
      const known = held.get(key) ?? { numbers: [], isWhole: false };
      held.set(key, known);
      const missing = count - known.numbers.length;
      if (missing > 0 && !known.isWhole) {
        const rows = await listHeldBalances(reader, scriptId, known.numbers.at(-1) ?? -1, missing);
        known.numbers.push(...rows.map(({ tokenNumber }) => tokenNumber));
        known.isWhole = rows.length < missing;
      }
      return known.numbers.slice(0, count);
    },
  };
}

function remember<Key, T>(known: Map<Key, Promise<T>>, key: Key, read: () => Promise<T>): Promise<T> {
  let found = known.get(key);
  if (!found) {
    found = read();
    known.set(key, found);
  }
  return found;
}
