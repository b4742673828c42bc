import { hash } from 'node:crypto';
import { blockHashOf, parseHeader } from '@coinfront/protocol/block.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { merkleRoot } from '@coinfront/protocol/merkle.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { isUnspendable } from '@coinfront/protocol/script.ts';
import { parseTransaction, transactionSizes, txidOf } from '@coinfront/protocol/transaction.ts';
import { workOfBits } from '@coinfront/protocol/work.ts';
import type { ChainView, ReadChain } from '../../service/src/chain/chain-view.ts';
import { createReadChain } from '../../service/src/chain/read-chain.ts';
import type { Database, Reader } from '../../service/src/db/database.ts';
import { type SqlValue, sql } from '../../service/src/db/statement.ts';
import { runKinds } from '../../service/src/indexer/runs/run-kinds.ts';
import { listRuns } from '../../service/src/indexer/runs/run-set.ts';
import { listPageTxs, readPrevouts, readRaw } from '../../service/src/indexer/transactions/tx-page.ts';
import { nextSnapshot } from './index-dump.ts';
import { listAllTxPages, listEntries, listOutputs } from './run-entries.ts';

type Row = Record<string, SqlValue>;

const LIST_BLOCKS = sql<Row>('select * from block order by height', { bigints: true });
/** An output as its own transaction's bytes tell it. */
type Output = {
  id: number;
  value: bigint;
  script: Uint8Array;
  owner: Owner;
  isSpendable: boolean;
  spender: number | undefined;
};

/** What all transactions together say of one script. */
type Owner = {
  id: number;
  script: Uint8Array;
  deltas: Map<number, bigint>;
  outputs: Output[];
  spent: Output[];
};

/**
 * Derives everything anew from the raw transactions in the index, by maps and plain sums, and compares all that the
 * index says with it: links and totals of blocks, fees, spends, and balance, history and unspent outputs of every script.
 * Nothing may change meanwhile.
 *
 * @param readChain what the answers are read by: one that has read earlier states must have forgotten them
 * @returns what does not agree; nothing when the index is sound
 */
export async function auditIndex(
  database: Database,
  readChain: ReadChain = createReadChain(database),
): Promise<string[]> {
  const problems: string[] = [];
  const check: Check = (what, found, wanted) => {
    if (problems.length < 20 && String(found) !== String(wanted))
      problems.push(`${what}: the index has ${found}, the transactions say ${wanted}`);
  };
  await nextSnapshot();
  const ledger = await database.snapshot(async (reader) => {
    const replayed = await replayBlocks(reader, check);
    await checkCounts(reader, replayed, check);
    await checkOutputs(reader, replayed, check);
    return replayed;
  });
  await readChain(async (view) => {
    await checkTransactions(view, ledger, check);
    await checkOwners(view, ledger, check);
    await checkStretches(view, ledger, check);
  });
  return problems;
}

type Check = (what: string, found: unknown, wanted: unknown) => void;

type Ledger = {
  txs: {
    id: number;
    txid: Uint8Array;
    height: number;
    position: number;
    prevouts: (number | undefined)[];
    outputs: Output[];
  }[];
  owners: Map<string, Owner>;
};

async function replayBlocks(reader: Reader, check: Check): Promise<Ledger> {
  const ledger: Ledger = { txs: [], owners: new Map() };
  const outputsOf = new Map<string, Output>();
  const totals = {
    txs: 0,
    inputs: 0,
    outputs: 0,
    utxos: 0,
    issued: 0n,
    burned: 0n,
    coinbase_paid: 0n,
    fees: 0n,
  };
  const pages = Map.groupBy(await listAllTxPages(reader), (page) => page.height);
  let chainwork = 0n;
  let prevHash = new Uint8Array(32) as Uint8Array;
  let height = 0;
  for (const block of await reader.all(LIST_BLOCKS)) {
    const header = getValue(parseHeader(block.header as Uint8Array));
    check(`height after ${height - 1}`, block.height, height);
    check(`previous hash of block ${height}`, toDisplayHash(header.prevHash), toDisplayHash(prevHash));
    prevHash = block.hash as Uint8Array;
    check(
      `hash of block ${height}`,
      toDisplayHash(prevHash),
      toDisplayHash(blockHashOf(block.header as Uint8Array)),
    );
    chainwork += workOfBits(header.bits);
    check(
      `chainwork of block ${height}`,
      bytesToHex(block.chainwork as Uint8Array),
      chainwork.toString(16).padStart(64, '0'),
    );
    check(`first transaction of block ${height}`, block.first_tx_id, totals.outputs);

    const txids: Uint8Array[] = [];
    let fees = 0n;
    for (const page of pages.get(height) ?? []) {
      check(`position of page ${page.firstId}`, page.position, txids.length);
      for (const stored of listPageTxs(page.data, page.firstId)) {
        const tx = getValue(parseTransaction(readRaw(stored)));
        const txid = txidOf(tx);
        const position = txids.length;
        const id = totals.outputs;
        check(`id of transaction ${position} of block ${height}`, stored.id, id);
        check(`txid of transaction ${id}`, toDisplayHash(stored.txid), toDisplayHash(txid));
        check(`weight of transaction ${id}`, stored.weight, transactionSizes(tx).weight);
        const spent =
          position === 0
            ? []
            : tx.inputs.map(
                ({ prevTxid, prevVout }) => outputsOf.get(`${bytesToHex(prevTxid)}:${prevVout}`)!,
              );
        for (const output of spent) {
          check(`second spend of output ${output.id} by transaction ${id}`, output.spender, undefined);
          output.spender = id;
          output.owner.spent.push(output);
          addDelta(output.owner, id, -output.value);
          totals.utxos--;
        }
        const outputs = tx.outputs.map(({ value, script }, vout): Output => {
          const owner = findOwner(ledger.owners, script, id + vout);
          const isSpendable = height > 0 && !isUnspendable(script);
          const output = { id: id + vout, value, script, owner, isSpendable, spender: undefined };
          owner.outputs.push(output);
          addDelta(owner, id, value);
          outputsOf.set(`${bytesToHex(txid)}:${vout}`, output);
          if (isSpendable) totals.utxos++;
          else totals.burned += value;
          if (isSpendable && position === 0) totals.coinbase_paid += value;
          return output;
        });
        const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
        const fee = spent.reduce((sum, { value }) => sum + value, 0n) - paid;
        if (position === 0) check(`coinbase value of block ${height}`, block.coinbase_value, paid);
        else fees += fee;
        check(`fee of transaction ${id}`, stored.fee, position === 0 ? undefined : fee);
        if (position === 0) totals.issued += paid;
        check(`number of outputs of transaction ${id}`, stored.outputCount, outputs.length);
        const prevouts = position === 0 ? [undefined] : spent.map((output) => output.id);
        check(`prevouts of transaction ${id}`, readPrevouts(stored), prevouts);
        ledger.txs.push({ id, txid, height, position, prevouts, outputs });
        txids.push(txid);
        totals.inputs += tx.inputs.length;
        totals.outputs += tx.outputs.length;
      }
    }
    totals.txs += txids.length;
    totals.fees += fees;
    totals.issued -= fees;
    check(`transactions of block ${height}`, block.tx_count, txids.length);
    check(
      `merkle root of block ${height}`,
      toDisplayHash(merkleRoot(txids)),
      toDisplayHash(header.merkleRoot),
    );
    check(`fees of block ${height}`, block.fees, fees);
    for (const [name, value] of Object.entries(totals))
      check(`total ${name} at ${height}`, block[`total_${name}`], value);
    height++;
  }
  check('pages beyond the tip', [...pages.values()].flat().filter((page) => page.height >= height).length, 0);
  check(
    'unspent value',
    [...outputsOf.values()].reduce(
      (sum, output) => (output.isSpendable && output.spender === undefined ? sum + output.value : sum),
      0n,
    ),
    totals.issued - totals.burned,
  );
  return ledger;
}

async function checkTransactions(view: ChainView, { txs }: Ledger, check: Check): Promise<void> {
  const txidOfId = new Map(txs.map(({ id, txid }) => [id, toDisplayHash(txid)]));
  for (const { id, txid, height, position, outputs } of txs) {
    const name = toDisplayHash(txid);
    const found = await view.findTx(txid);
    const status = found?.status.confirmed ? [found.status.height, found.status.position] : 'not confirmed';
    check(`place of ${name}`, [found?.id, status], [id, [height, position]]);
    if (!found) continue;
    const spends = await view.listSpends(found);
    check(
      `spends of ${name}`,
      // The mempool may spend what the chain leaves.
      spends.map((spend) => (spend?.height === undefined ? undefined : toDisplayHash(spend.txid))),
      outputs.map(({ spender }) => (spender === undefined ? undefined : txidOfId.get(spender))),
    );
  }
}

async function checkOwners(view: ChainView, { owners }: Ledger, check: Check): Promise<void> {
  for (const { script, deltas, outputs, spent } of owners.values()) {
    const name = `script ${bytesToHex(script.subarray(0, 20))}`;
    const unspent = listUnspent(outputs);
    const funded = sumOf(outputs);
    const spentSum = sumOf(spent);
    const stats = await view.getScriptStats(script);
    check(
      `totals of ${name}`,
      [stats.txCount, stats.fundedCount, stats.fundedSum, stats.spentCount, stats.spentSum],
      [deltas.size, outputs.length, funded, spent.length, spentSum],
    );
    const burned = sumOf(outputs.filter((output) => !output.isSpendable));
    check(`balance of ${name}`, stats.fundedSum - stats.spentSum, sumOf(unspent) + burned);
    check(`balance of ${name} is below zero`, stats.fundedSum < stats.spentSum, false);
    const history = await view.listHistory(script, undefined, deltas.size + 1);
    check(
      `history of ${name}`,
      history.map(({ txId, delta }) => `${txId}:${delta}`),
      [...deltas].sort(([a], [b]) => b - a).map(([txId, delta]) => `${txId}:${delta}`),
    );
    const utxos = await view.listUtxos(script, undefined, unspent.length + 1);
    check(
      `unspent outputs of ${name}`,
      utxos.map(({ outputId, value }) => `${outputId}:${value}`),
      unspent.map(({ id, value }) => `${id}:${value}`),
    );
  }
}

async function checkCounts(reader: Reader, { txs, owners }: Ledger, check: Check): Promise<void> {
  const runs = await listRuns(reader);
  let height = 0;
  let output = 0;
  for (const run of runs) {
    check(`first block and output of run ${run.id}`, [run.firstHeight, run.firstOutput], [height, output]);
    height = run.lastHeight + 1;
    output = run.endOutput;
  }
  check('blocks in runs', height, new Set(txs.map((tx) => tx.height)).size);
  check(
    'transactions in runs',
    runs.reduce((sum, run) => sum + run.txs, 0),
    txs.length,
  );
  const all = [...owners.values()];
  const sum = (count: (owner: Owner) => number) => all.reduce((total, owner) => total + count(owner), 0);
  const wanted = [
    txs.length,
    sum(({ spent }) => spent.length),
    undefined,
    sum(({ outputs }) => listUnspent(outputs).length),
  ];
  for (const kind of runKinds) {
    const entries = await listEntries(reader, kind);
    if (wanted[kind.code] !== undefined) check(`entries of ${kind.name}`, entries.length, wanted[kind.code]);
  }
}

function listUnspent(outputs: readonly Output[]): Output[] {
  return outputs.filter((output) => output.isSpendable && output.spender === undefined);
}

function findOwner(owners: Map<string, Owner>, script: Uint8Array, id: number): Owner {
  const key = bytesToHex(script);
  const found = owners.get(key);
  if (found) return found;
  const owner: Owner = { id, script, deltas: new Map(), outputs: [], spent: [] };
  owners.set(key, owner);
  return owner;
}

function addDelta({ deltas }: Owner, txId: number, delta: bigint): void {
  deltas.set(txId, (deltas.get(txId) ?? 0n) + delta);
}

function sumOf(outputs: readonly Output[]): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n);
}

/** No multiple of what a page of either engine has, so that stretches begin anywhere on them. */
const OUTPUTS_AT_ONCE = 377;

/** What is read of neighbouring outputs at once: the keys of their scripts, and the transactions that made some of them. */
async function checkStretches(view: ChainView, { txs }: Ledger, check: Check): Promise<void> {
  const outputs = txs.flatMap((tx) => tx.outputs.map((output) => ({ ...output, txid: tx.txid })));
  for (let from = 0; from < outputs.length; from += OUTPUTS_AT_ONCE) {
    const some = outputs.slice(from, from + OUTPUTS_AT_ONCE);
    check(
      `keys of scripts from output ${from} on`,
      bytesToHex(await view.readScriptKeys(from, some.length)),
      some.map(({ script }) => sha256Hex(script).slice(0, 32)).join(''),
    );
    const asked = some.filter((_, i) => i % 3 === 0);
    const found = await view.listTxsOfOutputs(asked.map(({ id }) => id));
    check(
      `transactions of outputs from ${from} on`,
      found.map(({ txid }) => toDisplayHash(txid)),
      [...new Set(asked.map(({ txid }) => toDisplayHash(txid)))],
    );
  }
}

/** Value and script of every output, by its number. */
async function checkOutputs(reader: Reader, { txs }: Ledger, check: Check): Promise<void> {
  const outputs = txs.flatMap((tx) => tx.outputs);
  const wanted = outputs.map(({ id, value, script }) => `${id} ${value} ${sha256Hex(script).slice(0, 32)}`);
  const found = await listOutputs(reader);
  check('outputs', found.length, wanted.length);
  for (const [i, output] of wanted.entries()) check(`output ${i}`, found[i], output);
}

function sha256Hex(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}
