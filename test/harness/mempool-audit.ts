import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, transactionSizes, txidOf } from '@coinfront/protocol/transaction.ts';
import type { ChainView, ReadChain, ScriptStats } from '../../service/src/chain/chain-view.ts';
import { nextSnapshot } from './index-dump.ts';

/**
 * Whether the mempool fits the chain and itself: nothing in it is mined, spends what is spent or builds on what nobody
 * has, and its totals and what it does to each script follow from its transactions.
 *
 * @returns what does not agree
 */
export async function auditMempool(readChain: ReadChain): Promise<string[]> {
  await nextSnapshot();
  return await readChain(async (view) => {
    const problems: string[] = [];
    const check = (what: string, found: unknown, wanted: unknown): void => {
      if (String(found) !== String(wanted)) problems.push(`mempool: ${what}: ${found}, expected ${wanted}`);
    };
    const spent = new Set<string>();
    const scripts = new Map<string, ScriptStats>();
    const totals = { txs: 0, vsize: 0, fees: 0n };
    for (const listed of await view.listMempoolTxids(100_000)) {
      const name = toDisplayHash(listed);
      const record = await view.findTx(listed);
      check(`${name} waits to be mined`, record?.status.confirmed, false);
      if (!record) continue;
      const tx = getValue(parseTransaction(record.raw));
      const prevouts = await view.listPrevouts(record);
      check(`txid of ${name}`, toDisplayHash(txidOf(tx)), name);
      check(`prevouts of ${name} that nobody has`, prevouts.filter((prevout) => !prevout).length, 0);
      for (const [vin, { prevTxid, prevVout }] of tx.inputs.entries()) {
        const outpoint = `${toDisplayHash(prevTxid)}:${prevVout}`;
        check(`spends of ${outpoint} before ${name}`, spent.has(outpoint), false);
        spent.add(outpoint);
        if (prevouts[vin]?.height !== undefined)
          check(
            `block that spends ${outpoint}, spent by ${name}`,
            await findSpendingHeight(view, prevTxid, prevVout),
            undefined,
          );
      }
      const known = prevouts.filter((prevout) => prevout !== undefined);
      const paidIn = known.reduce((sum, { value }) => sum + value, 0n);
      check(`fee of ${name}`, record.fee, paidIn - tx.outputs.reduce((sum, { value }) => sum + value, 0n));
      totals.txs++;
      totals.vsize += transactionSizes(tx).vsize;
      totals.fees += record.fee ?? 0n;
      countScripts(scripts, known, tx.outputs);
    }
    for (const [key, wanted] of Object.entries(totals))
      check(`total ${key}`, view.mempool[key as keyof typeof totals], wanted);
    for (const [script, wanted] of scripts) {
      const found = await view.getMempoolStats(Uint8Array.from(Buffer.from(script, 'hex')));
      check(`changes of script ${script.slice(0, 40)}`, describe(found), describe(wanted));
    }
    return problems;
  });
}

async function findSpendingHeight(
  view: ChainView,
  txid: Uint8Array,
  vout: number,
): Promise<number | undefined> {
  const record = await view.findTx(txid);
  return record && (await view.listSpends(record))[vout]?.height;
}

type Output = { value: bigint; script: Uint8Array };

function countScripts(
  scripts: Map<string, ScriptStats>,
  spent: readonly Output[],
  paid: readonly Output[],
): void {
  const touched = new Set<ScriptStats>();
  const statsOf = (script: Uint8Array): ScriptStats => {
    const key = bytesToHex(script);
    const stats = scripts.get(key) ?? {
      txCount: 0,
      fundedCount: 0,
      fundedSum: 0n,
      spentCount: 0,
      spentSum: 0n,
    };
    scripts.set(key, stats);
    touched.add(stats);
    return stats;
  };
  for (const { value, script } of spent) {
    const stats = statsOf(script);
    stats.spentCount++;
    stats.spentSum += value;
  }
  for (const { value, script } of paid) {
    const stats = statsOf(script);
    stats.fundedCount++;
    stats.fundedSum += value;
  }
  for (const stats of touched) stats.txCount++;
}

function describe({ txCount, fundedCount, fundedSum, spentCount, spentSum }: ScriptStats): string {
  return [txCount, fundedCount, fundedSum, spentCount, spentSum].join();
}
