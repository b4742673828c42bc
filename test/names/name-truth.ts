import { nameStates } from '@coinfront/api/names.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { createStateHasher } from '@coinfront/protocol/hash-chain.ts';
import { createNameLedger, type NameEntry } from '@coinfront/protocol/testing/name-ledger.ts';
import { expect } from 'vitest';
import type { ChainView } from '../../service/src/chain/chain-view.ts';
import type { Reader } from '../../service/src/db/database.ts';
import { sql } from '../../service/src/db/statement.ts';
import { createNameState } from '../../service/src/parts/names/name-state.ts';
import { type ExpiryPlace, listExpiringNames, listNames } from '../../service/src/parts/names/name-store.ts';
import { nameHashes } from '../../service/src/parts/names/name-tables.ts';
import { expiriesOfState, stateOfName } from '../../service/src/parts/names/serialise-name.ts';
import { type MinedBlock, placeTransactions } from '../harness/signed-blocks.ts';
import type { TestIndexer } from '../harness/test-indexer.ts';
import { shortLivedContext } from './name-profile.ts';

/** What the rules alone say of these blocks. */
function playLedger(blocks: readonly MinedBlock[]) {
  const ledger = createNameLedger(shortLivedContext);
  const states = new Map<number, string>();
  const log: (NameEntry & { height: number })[] = [];
  const counts: Count[] = [];
  for (const block of blocks) {
    const { height, hash } = block;
    const placed = placeTransactions(block);
    log.push(...ledger.connectBlock(height, hash, placed).map((entry) => ({ ...entry, height })));
    const names = ledger.listNames();
    const count = {
      height,
      names: names.length,
      registered: names.filter(({ expiry }) => height < expiry).length,
    };
    const before = counts.at(-1) ?? { names: 0, registered: 0 };
    if (count.names !== before.names || count.registered !== before.registered) counts.push(count);
    if (height % 1_000 === 0) states.set(height, bytesToHex(ledger.stateHash()));
  }
  return { ledger, states, log, counts };
}

type Count = { height: number; names: number; registered: number };
type OperationRow = { height: number; position: number; kind: string | null; reason: string | null };
type RecordRow = { name: Uint8Array; owner: Uint8Array; registered_height: number; expiry: number };
type CountRow = { names: number; registered: number; valid: number; invalid: number };
const LIST_OPERATIONS = sql<OperationRow>(
  'select height, position, kind, reason from name_operation order by height, position',
);
const LIST_RECORDS = sql<RecordRow>(
  'select name, owner, registered_height, expiry from name_record order by name',
);
const LIST_REVERSES = sql<{ owner_hash: Uint8Array; name: Uint8Array }>(
  'select owner_hash, name from name_reverse order by owner_hash',
);
const LIST_RECORDS_HASHES = sql<{ name: Uint8Array; hash: Uint8Array }>(
  'select name, hash from name_records_hash order by name',
);
const GET_COUNTS = sql<CountRow>('select names, registered, valid, invalid from name_count where id = 0');

const LIST_COUNTS = sql<Count & { number: number }>(
  'select number, height, names, registered from name_count_log order by number',
);

/**
 * Expects the index to hold what the rules alone say: records, operations with reasons, totals over time, hashes.
 *
 * @returns the kinds and reasons that occurred
 */
export async function expectLedger({ readChain }: TestIndexer, blocks: readonly MinedBlock[]) {
  const { ledger, states, log, counts } = playLedger(blocks);
  const height = blocks.at(-1)!.height;
  await readChain(async ({ reader }) => {
    const hashes = await nameHashes.findLatest(reader);
    expect(hashes?.height).toBe(height);
    expect(bytesToHex(hashes!.chain)).toBe(bytesToHex(ledger.chainHash()));
    const state = await nameHashes.findLatestState(reader);
    expect(state?.height).toBe(Math.floor(height / 1_000) * 1_000);
    expect(bytesToHex(state!.state!)).toBe(states.get(state!.height));

    const rows = await reader.all(LIST_OPERATIONS);
    expect(rows.map(({ height, position, reason }) => ({ height, position, reason }))).toEqual(
      log.map((entry) => ({
        height: entry.height,
        position: entry.position,
        reason: 'reason' in entry ? entry.reason : null,
      })),
    );
    for (const [i, entry] of log.entries()) {
      if ('event' in entry) expect(rows[i]!.kind).toBe(entry.event.kind);
    }
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    const records = (await reader.all(LIST_RECORDS)).map((row) => ({
      name: Buffer.from(row.name).toString('latin1'),
      owner: bytesToHex(row.owner),
      registeredHeight: row.registered_height,
      expiry: row.expiry,
    }));
    expect(records).toEqual(
      ledger
        .listNames()
        .map((record) => ({ ...record, owner: bytesToHex(record.owner) }))
        .sort(byName),
    );
    const reverses = (await reader.all(LIST_REVERSES)).map(({ owner_hash, name }) => [
      bytesToHex(owner_hash),
      Buffer.from(name).toString('latin1'),
    ]);
    expect(reverses).toEqual(
      ledger
        .listReverse()
        .map(({ owner, name }) => [bytesToHex(sha256(owner)), name])
        .sort(),
    );
    const hashed = (await reader.all(LIST_RECORDS_HASHES)).map(({ name, hash }) => [
      Buffer.from(name).toString('latin1'),
      bytesToHex(hash),
    ]);
    expect(hashed).toEqual(
      ledger
        .listRecords()
        .map(({ name, hash }) => [name, bytesToHex(hash)])
        .sort(),
    );
    await expectState(reader, height, ledger.stateHash());
    await expectLists(reader, records, height);
    expect(await reader.get(GET_COUNTS)).toEqual({
      names: records.length,
      registered: records.filter(({ expiry }) => height < expiry).length,
      valid: log.filter((entry) => 'event' in entry).length,
      invalid: log.filter((entry) => 'reason' in entry).length,
    });
    expect(await reader.all(LIST_COUNTS)).toEqual(counts.map((count, number) => ({ number, ...count })));
  });
  return new Set(log.map((entry) => ('reason' in entry ? entry.reason : entry.event.kind)));
}

/** Expects the state, read in small pages as it is served, to have the hash that the rules give. */
async function expectState(reader: Reader, height: number, wanted: Uint8Array): Promise<void> {
  const source = createNameState(shortLivedContext.rules);
  const hasher = createStateHasher();
  for (const kind of source.kinds) {
    let after: Uint8Array | undefined = new Uint8Array(0);
    while (after !== undefined) {
      const page = await source.readBehind({ reader } as ChainView, height, kind, after, 2);
      for (const { row } of page.rows) hasher.add(row);
      after = page.last;
    }
  }
  expect(bytesToHex(hasher.finish())).toBe(bytesToHex(wanted));
}

/** Expects the lists of names, read in small pages, to be what a look at all records finds. */
async function expectLists(
  reader: Reader,
  records: readonly { name: string; expiry: number }[],
  height: number,
): Promise<void> {
  const { rules } = shortLivedContext;
  const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name);
  for (const state of [undefined, ...nameStates]) {
    for (const start of ['', 'abcd', 'abcde.test', 'z']) {
      const expiries = state && expiriesOfState(state, height, rules);
      const wanted = records.filter(
        ({ name, expiry }) =>
          name.startsWith(start) && (!state || stateOfName(expiry, height, rules) === state),
      );
      const found: string[] = [];
      let after: string | undefined;
      do {
        const page = await listNames(reader, { start, after, expiries }, 1, 1);
        found.push(...namesOf(page.names));
        after = page.next;
      } while (after !== undefined);
      expect(found).toEqual(namesOf(wanted));
    }
  }
  const range = { from: height + 1 - rules.graceBlocks, to: height + 40 };
  const found: ExpiryPlace[] = [];
  for (;;) {
    const page = await listExpiringNames(reader, range, found.at(-1), 1);
    found.push(...page);
    if (page.length === 0) break;
  }
  expect(namesOf(found)).toEqual(
    namesOf(
      records
        .filter(({ expiry }) => expiry >= range.from && expiry <= range.to)
        .sort((a, b) => a.expiry - b.expiry || (a.name < b.name ? -1 : 1)),
    ),
  );
}
