/** A treasury on a chain of the test's own making, with real books: a block at a time, and a step of the ledger at a time. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { TreasuryProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { type Transaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { openPrecious, type Precious } from '../../../db/precious.ts';
import { preciousMigrations } from '../../../migrations.ts';
import { openServiceKey } from '../../../signing/service-key.ts';
import { createFixtureChain, type FixtureChain, makeTx } from '../../../testing/fixture-chain.ts';
import { readFixture } from '../../../testing/fixture-view.ts';
import { openLedgerRecorder } from '../following/record-ledger.ts';
import type { TreasuryTables } from '../schema/treasury-tables.ts';
import { createFindOwnScripts } from '../scripts/own-scripts.ts';
import type { TreasuryRecordContext } from '../treasury-context.ts';

const profile = getShippedProfile('regtest');
/** Of nobody. */
const MINER = Uint8Array.of(0x51);

export type FixtureBooks = {
  readonly chain: FixtureChain;
  readonly precious: Precious;
  readonly keyFile: string;
  /** What a treasury with these further scripts is followed with. */
  contextOf(otherScripts?: readonly Uint8Array[]): TreasuryRecordContext;
  /** Adds a block whose one transaction pays these values to a script, out of a coinbase that nobody spent yet. */
  pay(values: readonly bigint[], script?: Uint8Array): string;
  /** Adds a block that spends outputs of a transaction to nobody; the rest is the fee. */
  spend(txid: string, vouts: readonly number[], value: bigint): string;
  /** Adds empty blocks. */
  deepen(blocks: number): void;
  /** Lets the ledger follow to the tip. */
  follow(context?: TreasuryRecordContext): Promise<void>;
  close(): Promise<void>;
};

/** Opens them, on SQLite. The caller closes them. */
export async function openFixtureBooks(): Promise<FixtureBooks> {
  const folder = mkdtempSync(join(tmpdir(), 'coinfront-books-'));
  const keyFile = join(folder, 'registry.key');
  const precious = await openPrecious({ kind: 'sqlite', file: join(folder, 'front.db') }, preciousMigrations);
  const chain = createFixtureChain(MINER);
  const txids = new Map<string, Uint8Array>();
  let funded = 0;

  const add = (tx: Transaction): string => {
    chain.addBlock(MINER, [tx]);
    const txid = txidOf(tx);
    txids.set(toDisplayHash(txid), txid);
    return toDisplayHash(txid);
  };
  const treasury = profile.treasury!;
  const books: FixtureBooks = {
    chain,
    precious,
    keyFile,
    contextOf(otherScripts = []) {
      const own: TreasuryProfile = { ...treasury, otherScripts: [...otherScripts], account: undefined };
      return {
        ...{
          precious,
          readChain: readFixture(chain),
          profile,
          treasury: own,
          now: Date.now,
          epochBlocks: 10,
        },
        signer: openServiceKey(keyFile),
        findOwnScripts: getValue(createFindOwnScripts(profile, own)),
      };
    },
    pay(values, script = treasury.script) {
      const { firstTxId } = chain.blocks[funded++]!;
      return add(
        makeTx(
          [{ txid: chain.txs[firstTxId]!.txid, vout: 0 }],
          values.map((value) => ({ value, script })),
        ),
      );
    },
    spend: (txid, vouts, value) =>
      add(
        makeTx(
          vouts.map((vout) => ({ txid: txids.get(txid)!, vout })),
          [{ value, script: MINER }],
        ),
      ),
    deepen(blocks) {
      for (let i = 0; i < blocks; i++) chain.addBlock(MINER);
    },
    async follow(context = books.contextOf()) {
      const recorder = openLedgerRecorder(context);
      while (await recorder.step());
    },
    async close() {
      await precious.close();
      rmSync(folder, { recursive: true });
    },
  };
  return books;
}

/** The ledger as it is stored, oldest entry first. */
export function readEntries(precious: Precious) {
  return precious
    .query<TreasuryTables>()
    .selectFrom('treasury_entry')
    .selectAll()
    .orderBy('sequence')
    .execute();
}
