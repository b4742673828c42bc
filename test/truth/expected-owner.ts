import { createRandom } from '../../scripts/traffic/random.ts';
import { isUnspendableHex } from './expected-tx.ts';
import { addressOf, baseUnits, type NodeChain, prevoutOf } from './node-chain.ts';

/** What an owner's script has to do with the chain, or with the mempool. Amounts in base units. */
export type OwnerStats = {
  txCount: number;
  received: bigint;
  receivedCount: number;
  spent: bigint;
  spentCount: number;
};

/** One transaction of a script's history. */
export type OwnerChange = { txid: string; delta: bigint; height: number | undefined; position: number };

/** A script with everything that the node's transactions do to it. */
export type Owner = {
  readonly script: string;
  readonly chain: OwnerStats;
  readonly mempool: OwnerStats;
  /** Confirmed in chain order, then the mempool. */
  readonly history: OwnerChange[];
  /** `txid:vout` of unspent outputs that can be spent, confirmed or not; the mempool's spends are applied. */
  readonly utxos: Map<string, { value: bigint; height: number | undefined; coinbase: boolean }>;
};

/** All scripts that the chain and the mempool ever paid, by hex. */
export function listOwners(chain: NodeChain): Map<string, Owner> {
  const known = ownersOf.get(chain);
  if (known) return known;
  const owners = new Map<string, Owner>();
  const ownerOf = (script: string): Owner => {
    const found = owners.get(script);
    if (found) return found;
    const owner: Owner = { script, chain: noStats(), mempool: noStats(), history: [], utxos: new Map() };
    owners.set(script, owner);
    return owner;
  };
  for (const { tx, height, position } of chain.txs.values()) {
    const noteChange = (owner: Owner, value: bigint, kind: 'received' | 'spent'): void => {
      const stats = height === undefined ? owner.mempool : owner.chain;
      const last = owner.history.at(-1);
      const delta = kind === 'received' ? value : -value;
      if (last?.txid === tx.txid) last.delta += delta;
      else {
        owner.history.push({ txid: tx.txid, delta, height, position });
        stats.txCount += 1;
      }
      stats[kind] += value;
      stats[`${kind}Count`] += 1;
    };
    for (const input of tx.vin) {
      const prevout = prevoutOf(chain, input);
      if (prevout) noteChange(ownerOf(prevout.scriptPubKey.hex), baseUnits(prevout.value), 'spent');
    }
    for (const [vout, output] of tx.vout.entries()) {
      const { hex } = output.scriptPubKey;
      const value = baseUnits(output.value);
      noteChange(ownerOf(hex), value, 'received');
      const isSpent = chain.spends.has(`${tx.txid}:${vout}`);
      if (isSpent || isUnspendableHex(hex) || height === 0) continue;
      const coinbase = tx.vin[0]!.coinbase !== undefined;
      ownerOf(hex).utxos.set(`${tx.txid}:${vout}`, { value, height, coinbase });
    }
  }
  ownersOf.set(chain, owners);
  return owners;
}

const ownersOf = new WeakMap<NodeChain, Map<string, Owner>>();

function noStats(): OwnerStats {
  return { txCount: 0, received: 0n, receivedCount: 0, spent: 0n, spentCount: 0 };
}

/** Up to `count` addresses of the chain at random, of every kind that occurs, with what the node knows of them. */
export function pickOwners(chain: NodeChain, count: number): Map<string, Owner> {
  const owners = listOwners(chain);
  const byKind = new Map<string, string[]>();
  const addresses = new Map<string, string>();
  for (const { tx } of chain.txs.values()) {
    for (const { scriptPubKey } of tx.vout) {
      const address = addressOf(scriptPubKey);
      if (address === null || addresses.has(address)) continue;
      addresses.set(address, scriptPubKey.hex);
      const kind = byKind.get(scriptPubKey.type);
      if (kind) kind.push(address);
      else byKind.set(scriptPubKey.type, [address]);
    }
  }
  const random = createRandom(chain.height);
  const picked = new Map<string, Owner>();
  const pools = [...byKind.values()];
  while (picked.size < Math.min(count, addresses.size)) {
    for (const pool of pools.filter((each) => each.length > 0)) {
      const [address] = pool.splice(random.integer(0, pool.length - 1), 1);
      if (picked.size < count) picked.set(address!, owners.get(addresses.get(address!)!)!);
    }
  }
  return picked;
}
