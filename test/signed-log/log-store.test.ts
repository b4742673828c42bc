import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { logOrigin, openCheckpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { hashLeaf, rootOfLeaves, verifyInclusion } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { verifyConsistency } from '@coinfront/protocol/signed-log/verify-consistency.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { appendEntries, checkHead, type SignedLog } from '../../service/src/signed-log/append-entries.ts';
import { listHeads } from '../../service/src/signed-log/log-store.ts';
import type { SignedLogTables } from '../../service/src/signed-log/log-tables.ts';
import { proveEntry, proveGrowth } from '../../service/src/signed-log/prove.ts';
import { verifyLog } from '../../service/src/signed-log/verify-log.ts';
import { openServiceKey } from '../../service/src/signing/service-key.ts';
import { forEachEngine } from '../harness/engines.ts';

/** Around whole tiles, of one level and of two. */
const STEPS = [1, 2, 60, 192, 1, 1, 300, 65_536 - 557, 1, 3];
const text = (place: number) => `{"entry":${place}}`;
const leafOf = (place: number) => hashLeaf(new TextEncoder().encode(text(place)));

forEachEngine('a signed log', (engine) => {
  let precious: Precious;
  let folder = '';
  let log: SignedLog;
  /** Another log in the same tables, by the same key. */
  let other: SignedLog;
  let size = 0;
  const db = () => precious.query<SignedLogTables>();
  const append = (count: number) =>
    precious.transaction<SignedLogTables, void>(async (trx) => {
      const entries = Array.from({ length: count }, (_, i) => text(size + i));
      await appendEntries(trx, log, entries, 1);
    });
  const listFaults = async () => {
    const faults: string[] = [];
    await verifyLog(
      db(),
      log.origin,
      (fault) => faults.push(fault),
      () => {},
    );
    return faults;
  };
  /** What the database refuses to others. */
  const tamper = async (statement: string) => {
    const sqlite = ['entry', 'hash', 'head'].flatMap((name) =>
      ['update', 'delete'].map((verb) => `drop trigger if exists signed_log_${name}_no_${verb}`),
    );
    const postgres = ['entry', 'hash', 'head'].map(
      (name) => `drop trigger if exists signed_log_${name}_append_only on signed_log_${name}`,
    );
    for (const each of engine.kind === 'sqlite' ? sqlite : postgres) await sql.raw(each).execute(db());
    await sql.raw(statement).execute(db());
  };

  beforeAll(async () => {
    const location = await engine.openUrl();
    precious = await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      preciousMigrations,
    );
    folder = await mkdtemp(join(tmpdir(), 'coinfront-signed-log-'));
    const { publicKey, sign } = openServiceKey(join(folder, 'registry.key'));
    log = { origin: logOrigin('node-registry', publicKey), publicKey, sign };
    other = { origin: logOrigin('treasury-ledger', publicKey), publicKey, sign };
  });
  afterAll(async () => {
    await precious.close();
    await rm(folder, { recursive: true });
  });

  test('signs the root of its entries at each size, on the edges of tiles, too', async () => {
    for (const count of STEPS) {
      await append(count);
      size += count;
    }
    const leaves = Array.from({ length: size }, (_, i) => leafOf(i));
    const heads = await listHeads(db(), log.origin, 0, 100);
    expect(heads).toHaveLength(STEPS.length);
    for (const { note, size: at } of heads) {
      const opened = openCheckpoint(note, log);
      expect(opened.ok && bytesToHex(opened.checkpoint.root)).toBe(
        bytesToHex(rootOfLeaves(leaves.slice(0, at))),
      );
    }
    expect(await listFaults()).toEqual([]);
  });

  test('proves entries and growth between any of its sizes', async () => {
    const leaves = Array.from({ length: size }, (_, i) => leafOf(i));
    const root = rootOfLeaves(leaves);
    for (const place of [0, 1, 255, 256, 511, 65_535, 65_536, size - 1]) {
      const path = await proveEntry(db(), log.origin, place, size);
      const proof = { leafHash: leaves[place]!, index: place, size, path, root };
      expect([place, verifyInclusion(proof)]).toEqual([place, true]);
    }
    for (const oldSize of [0, 1, 3, 255, 256, 257, 65_535, 65_536, size]) {
      const path = await proveGrowth(db(), log.origin, oldSize, size);
      const oldRoot = rootOfLeaves(leaves.slice(0, oldSize));
      expect([oldSize, verifyConsistency({ oldSize, oldRoot, newSize: size, newRoot: root, path })]).toEqual([
        oldSize,
        true,
      ]);
    }
  });

  test('knows nothing of another log in the same tables', async () => {
    expect(await checkHead(db(), other)).toBeUndefined();
    await precious.transaction<SignedLogTables, void>(async (trx) => {
      await appendEntries(trx, other, ['one'], 1);
      await appendEntries(trx, other, ['two', 'three'], 1);
    });
    expect((await listHeads(db(), other.origin, 0, 9)).map((head) => head.size)).toEqual([1, 3]);
    const root = rootOfLeaves(
      ['one', 'two', 'three'].map((each) => hashLeaf(new TextEncoder().encode(each))),
    );
    expect((await checkHead(db(), other))!.root).toEqual(root);
    expect((await checkHead(db(), log))!.size).toBe(size);
    expect(await listFaults()).toEqual([]);
  });

  test('appends nothing of a transaction that fails', async () => {
    const before = (await checkHead(db(), log))!.size;
    const failing = precious.transaction<SignedLogTables, void>(async (trx) => {
      await appendEntries(trx, log, [text(size)], 1);
      throw new Error('what it logs cannot be written');
    });
    await expect(failing).rejects.toThrow('cannot be written');
    expect((await checkHead(db(), log))!.size).toBe(before);
    expect(await listFaults()).toEqual([]);
  });

  test('cannot be changed by whoever asks the database in the usual way', async () => {
    const changes = [
      "update signed_log_entry set entry = '' where place = 5",
      'delete from signed_log_hash where place = 5',
      'delete from signed_log_head',
    ];
    for (const change of changes) await expect(sql.raw(change).execute(db())).rejects.toThrow('append-only');
  });

  test('signs nothing more once its tree is another than it signed; an entry that was changed is named', async () => {
    await tamper("update signed_log_entry set entry = '{}' where place = 5");
    expect(await listFaults()).toContain('log entry 5: it is not what was hashed');
    const forged = bytesToHex(hashLeaf(new TextEncoder().encode('{}')));
    await tamper(`update signed_log_hash set hash = '${forged}' where level = 0 and place = ${size - 1}`);
    await expect(append(1)).rejects.toThrow('has another root than it signed');
    await tamper(`delete from signed_log_hash where level = 0 and place = ${size - 1}`);
    await expect(append(1)).rejects.toThrow('lacks hashes of its tree');
  });
});
