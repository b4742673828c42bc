import { encodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { classifyScript, scriptTypeName } from '@coinfront/protocol/script.ts';
import type { ReadChain } from '../../../chain/chain-reads.ts';
import { scanBalances } from '../../../chain/scan-balances.ts';
import type { Precious } from '../../../db/precious.ts';
import { sha256 } from '../../../indexer/encoding/hashes.ts';
import { createRanking, type RankedBalance, type RichScript } from './rank-balances.ts';
import { keepRichList, nameRichList } from './rich-list-store.ts';

export type RichListOptions = {
  precious: Precious;
  readChain: ReadChain;
  profile: CoinProfile;
  /** Blocks after which a list is made anew. */
  everyBlocks: number;
  /** Awaited between slices of work. */
  giveWay: () => Promise<void>;
  /** Unix milliseconds. */
  now: () => number;
};

/** Scripts that are read from one snapshot. */
const SCRIPTS_AT_ONCE = 20;

/**
 * Makes a list of the richest, if it is time: there is none, the chain has grown by so many blocks since, or the block that it is of was
 * replaced. It is kept when all of it is there and its block is still in the best chain; otherwise the next call begins anew.
 *
 * @returns whether a list was made
 */
export async function makeRichList(options: RichListOptions): Promise<boolean> {
  const { precious, readChain, profile, everyBlocks, giveWay, now } = options;
  const last = await nameRichList(precious);
  const isDue = await readChain(async (view) => {
    if (view.tip === undefined) return false;
    if (last === undefined || view.tip.height >= last.height + everyBlocks) return true;
    const block = await view.nameBlockAt(last.height);
    return block === undefined || !equalBytes(block.hash, last.hash);
  });
  if (!isDue) return false;
  const ranking = createRanking();
  const tip = await scanBalances(readChain, ranking.add, giveWay);
  if (tip === undefined) return false;
  const { richest, ...sums } = ranking.finish();
  const scripts: RichScript[] = [];
  for (let at = 0; at < richest.length; at += SCRIPTS_AT_ONCE) {
    await giveWay();
    const found = await describeScripts(readChain, profile, richest.slice(at, at + SCRIPTS_AT_ONCE));
    if (found === undefined) return false;
    scripts.push(...found);
  }
  const isThere = await readChain(async (view) => {
    const block = await view.nameBlockAt(tip.height);
    return block !== undefined && equalBytes(block.hash, tip.hash);
  });
  if (!isThere) return false;
  await keepRichList(precious, {
    ...sums,
    richest: scripts,
    height: tip.height,
    hash: tip.hash,
    madeAtMs: now(),
  });
  return true;
}

/** Undefined where a reorganisation took one of them away. */
async function describeScripts(
  readChain: ReadChain,
  profile: CoinProfile,
  ranked: readonly RankedBalance[],
): Promise<RichScript[] | undefined> {
  const scripts = await readChain((view) =>
    Promise.all(ranked.map(({ key }) => view.findScriptByKey(Buffer.from(key, 'latin1')))),
  );
  const described: RichScript[] = [];
  for (const [i, { balance, coins }] of ranked.entries()) {
    const script = scripts[i];
    if (script === undefined) return undefined;
    described.push({
      scriptHash: bytesToHex(sha256(script)),
      scriptType: scriptTypeName(classifyScript(script).kind),
      address: encodeAddress(script, profile) ?? null,
      balance,
      coins,
    });
  }
  return described;
}
