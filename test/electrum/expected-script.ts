import { createHash } from 'node:crypto';
import { baseUnits, feeOf, type NodeChain, type Placed } from '../truth/node-chain.ts';

/** What the Electrum protocol says of a script, computed from what the node says of every transaction. */
export type ExpectedScript = {
  readonly balance: { confirmed: number; unconfirmed: number };
  readonly history: readonly ({ tx_hash: string; height: number } & { fee?: number })[];
  readonly unspent: readonly { tx_hash: string; tx_pos: number; height: number; value: number }[];
  readonly status: string | null;
};

/** The hash by which clients name a script. */
export function scriptHashOf(hex: string): string {
  return createHash('sha256').update(Buffer.from(hex, 'hex')).digest().reverse().toString('hex');
}

/** The scripts of all outputs, of blocks and mempool, but those that nobody can ever spend. */
export function listScripts(chain: NodeChain): string[] {
  const scripts = new Set<string>();
  for (const { tx } of chain.txs.values())
    for (const { scriptPubKey } of tx.vout)
      if (!isUnspendable(scriptPubKey.hex)) scripts.add(scriptPubKey.hex);
  return [...scripts];
}

/** Nodes keep no output whose script begins with OP_RETURN or has more than 10,000 bytes. */
function isUnspendable(hex: string): boolean {
  return hex.startsWith('6a') || hex.length > 20_000;
}

/** By script: the transactions that touch it, in the order of the chain and then of the mempool. */
export function indexScripts(chain: NodeChain): Map<string, Placed[]> {
  const touching = new Map<string, Set<Placed>>();
  const note = (script: string, placed: Placed): void => {
    const its = touching.get(script) ?? new Set();
    touching.set(script, its.add(placed));
  };
  for (const placed of chain.txs.values()) {
    // The coinbase of genesis is in nobody's wallet.
    if (placed.height === 0) continue;
    for (const { scriptPubKey } of placed.tx.vout) note(scriptPubKey.hex, placed);
    for (const { txid, vout } of placed.tx.vin) {
      const spent = txid === undefined ? undefined : chain.txs.get(txid)?.tx.vout[Number(vout)];
      if (spent) note(spent.scriptPubKey.hex, placed);
    }
  }
  return new Map([...touching].map(([script, its]) => [script, [...its]]));
}

/** What is to be answered for a script. */
export function expectScript(chain: NodeChain, script: string, touching: readonly Placed[]): ExpectedScript {
  const confirmed = touching.filter(({ height }) => height !== undefined);
  confirmed.sort((a, b) => a.height! - b.height! || a.position - b.position);
  const isWaiting = (txid: string | undefined): boolean =>
    txid !== undefined && chain.txs.has(txid) && chain.txs.get(txid)!.height === undefined;
  const waiting = touching
    .filter(({ height }) => height === undefined)
    .map(({ tx }) => ({
      tx_hash: tx.txid,
      height: tx.vin.some(({ txid }) => isWaiting(txid)) ? -1 : 0,
      fee: Number(feeOf(chain, tx)),
    }))
    .sort((a, b) => b.height - a.height || (a.tx_hash < b.tx_hash ? -1 : 1));
  const history = [...confirmed.map(({ tx, height }) => ({ tx_hash: tx.txid, height: height! })), ...waiting];

  let balance = 0n;
  let change = 0n;
  const unspent: ExpectedScript['unspent'][number][] = [];
  for (const { tx, height } of [...confirmed, ...touching.filter((each) => each.height === undefined)]) {
    for (const [vout, output] of tx.vout.entries()) {
      if (output.scriptPubKey.hex !== script) continue;
      const value = baseUnits(output.value);
      const spend = chain.spends.get(`${tx.txid}:${vout}`);
      if (height !== undefined && (!spend || spend.height === undefined)) balance += value;
      if (height === undefined && !spend) change += value;
      if (height !== undefined && spend && spend.height === undefined) change -= value;
      if (!spend) unspent.push({ tx_hash: tx.txid, tx_pos: vout, height: height ?? 0, value: Number(value) });
    }
  }
  const text = history.map(({ tx_hash, height }) => `${tx_hash}:${height}:`).join('');
  return {
    balance: { confirmed: Number(balance), unconfirmed: Number(change) },
    history,
    unspent,
    status: text === '' ? null : createHash('sha256').update(text).digest('hex'),
  };
}
