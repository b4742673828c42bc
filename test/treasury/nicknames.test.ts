import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPrecious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import {
  type ContributorChange,
  type ContributorDraft,
  insertContributor,
  updateContributor,
} from '../../service/src/parts/treasury/contributors/contributor-store.ts';
import { NICKNAME_REST_MS } from '../../service/src/parts/treasury/contributors/nickname-store.ts';
import { readChosenNickname } from '../../service/src/parts/treasury/contributors/read-nickname.ts';
import type { TreasuryTables } from '../../service/src/parts/treasury/schema/treasury-tables.ts';
import { createContributorId } from '../../service/src/parts/treasury/treasury-ids.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { type Json, openTreasuryDesk, profile, type TreasuryDesk } from './treasury-desk.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(1);
});
afterAll(() => node.stop());

forEachEngine('nicknames', (engine) => {
  let desk: TreasuryDesk;
  beforeAll(async () => {
    desk = await openTreasuryDesk(node, await engine.openUrl());
    await desk.settle();
  });
  afterAll(() => desk?.stop());

  const register = async (nickname: string): Promise<[number, Json]> => {
    const { status, json } = await desk.ask('/contributors', { nickname, public_display: true });
    return [status, json];
  };
  const change = async (secret: string, nickname: string | null): Promise<[number, string]> => {
    const { status, json } = await desk.ask('/profile', { contributor_secret: secret, nickname });
    return [status, json.code];
  };
  /** Lets time pass for what was given up. */
  const age = async (ms: number): Promise<void> => {
    await desk.precious
      .query<TreasuryTables>()
      .updateTable('treasury_nickname_skeleton')
      .set((eb) => ({ freed_at: eb('freed_at', '-', ms) }))
      .where('freed_at', 'is not', null)
      .execute();
  };

  test('that look like others, like ids or like reserved words are refused, and it is said what to do', async () => {
    const id = (await desk.register('Thomas')).id;
    for (const [nickname, reason] of [
      ['ᴀda', '"ᴀ" (U+1D00)'],
      ['ɑdmin', '"ɑ" (U+0251)'],
      ['Treɑsury', '"ɑ" (U+0251)'],
      ['ΤΟΜ', 'write it with those'],
      ['роӏо', 'write it with those'],
      [id, 'choose one that does not begin like'],
      [id.toLowerCase(), 'choose one that does not begin like'],
      [id.replace('-', ' '), 'choose one that does not begin like'],
      ['Treasury', 'choose another'],
    ] as const) {
      const [status, { code, detail }] = await register(nickname);
      expect([nickname, status, code, detail]).toEqual([
        nickname,
        400,
        'nickname_invalid',
        expect.stringContaining(reason),
      ]);
    }
    // Greek, and Cyrillic that looks like it as it is written.
    expect((await register('ΟΦΑ'))[0]).toBe(201);
    for (const taken of ['οφα', 'ОФА']) expect((await register(taken))[1].code).toBe('nickname_taken');
  });

  test('rest for a year when they are given up, but for who had them', async () => {
    const first = await desk.register('Kestrel');
    expect(await change(first.secret, 'Merlin')).toEqual([200, undefined]);
    for (const nickname of ['Kestrel', 'KESTRE1']) {
      const [status, { code, detail }] = await register(nickname);
      expect([status, code]).toEqual([409, 'nickname_taken']);
      expect(detail).toMatch(/gave up this nickname.*less than a year ago.*Choose another/);
    }
    const second = await desk.register();
    expect(await change(second.secret, 'Kestrel')).toEqual([409, 'nickname_taken']);
    expect(await change(first.secret, 'kestrel')).toEqual([200, undefined]);
    expect(await change(first.secret, null)).toEqual([200, undefined]);
    await age(NICKNAME_REST_MS - 60_000);
    expect(await change(second.secret, 'Kestrel')).toEqual([409, 'nickname_taken']);
    await age(60_000);
    expect(await change(second.secret, 'Kestrel')).toEqual([200, undefined]);
    // A year later it is the other's.
    expect(await change(first.secret, 'Kestrel')).toEqual([409, 'nickname_taken']);
    expect((await register('Merlin'))[0]).toBe(201);
  });

  test('are kept by nobody who changes often: of each contributor three rest, the ones given up last', async () => {
    const busy = await desk.register('Avocet');
    for (const nickname of ['Bittern', 'Curlew', 'Dunnock', 'Egret']) {
      await age(1);
      expect(await change(busy.secret, nickname)).toEqual([200, undefined]);
    }
    expect((await register('Avocet'))[0]).toBe(201);
    for (const nickname of ['Bittern', 'Curlew', 'Dunnock', 'Egret'])
      expect((await register(nickname))[0]).toBe(409);
  });

  test('are one of many who ask at once, and two who ask for each other’s both get an answer', async () => {
    const asking = await Promise.all(Array.from({ length: 6 }, () => desk.register()));
    const answers = await Promise.all(asking.map(({ secret }) => change(secret, 'Fulmar')));
    expect(answers.map(([status]) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const [a, b] = [await desk.register('Gannet'), await desk.register('Hobby')];
    const swapped = await Promise.all([change(a.secret, 'Hobby'), change(b.secret, 'Gannet')]);
    expect(swapped.map(([status]) => status)).toEqual([409, 409]);
  });
});

forEachEngine('nicknames by the clock', (engine) => {
  test('rest until a year has passed since they were given up', async () => {
    const location = await engine.openUrl();
    const precious = await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      preciousMigrations,
    );
    onTestFinished(() => precious.close());
    const start = Date.UTC(2026, 0, 1);
    const add = async (nowMs: number): Promise<string> => {
      const id = createContributorId();
      const draft: ContributorDraft = {
        row: {
          ...{ id, secret_hash: id, nickname: null, is_public: 1, hidden_at: null },
          ...{ created_at: nowMs, updated_at: nowMs },
        },
        skeletons: [],
      };
      const client = { client: 'c', network: 'n' } as never;
      expect(await insertContributor(precious, draft, client, { inAll: 100, ofClient: undefined })).toBe(
        'stored',
      );
      return id;
    };
    const choose = async (id: string, nickname: string | null, nowMs: number) => {
      const chosen: ContributorChange = { nickname: readChosenNickname(nickname, profile) };
      const changed = await updateContributor(precious, id, chosen, nowMs);
      return typeof changed === 'string' ? changed : changed.nickname;
    };
    const [one, two] = [await add(start), await add(start)];
    expect(await choose(one, 'Jackdaw', start)).toBe('Jackdaw');
    expect(await choose(two, 'Jackdaw', start)).toBe('nickname_taken');
    expect(await choose(one, null, start + 5)).toBe(null);
    expect(await choose(two, 'Jackdaw', start + NICKNAME_REST_MS + 4)).toBe('nickname_rests');
    expect(await choose(two, 'Jackdaw', start + NICKNAME_REST_MS + 5)).toBe('Jackdaw');
    expect(await choose(one, 'Jackdaw', start + NICKNAME_REST_MS + 6)).toBe('nickname_taken');
  });

  test('of the time before stay with who has them, and the oldest of two that look alike has the look', async () => {
    const location = await engine.openUrl();
    const where =
      location.kind === 'sqlite'
        ? ({ kind: 'sqlite', file: join(location.dataDir, 'front.db') } as const)
        : location;
    const before = Object.fromEntries(
      Object.entries(preciousMigrations).filter(([name]) => name < '0023_treasury_nicknames'),
    );
    const old = await openPrecious(where, before);
    const rows = [
      ['VC-000000000003', 'TOM', 'tom', 1],
      ['VC-000000000001', 'ΤΟΜ', 'tou', 2],
      ['VC-000000000002', 'ᴀda', 'ᴀda', 3],
      ['VC-000000000004', null, null, 4],
    ] as const;
    for (const [id, nickname, skeleton, at] of rows)
      await old
        .query<{ treasury_contributor: Record<string, unknown> }>()
        .insertInto('treasury_contributor')
        .values({
          ...{ id, nickname, skeleton, secret_hash: id, is_public: 1, hidden_at: null },
          ...{ created_at: at, updated_at: at },
        })
        .execute();
    await old
      .query<TreasuryTables>()
      .insertInto('treasury_banned_nickname')
      .values({ skeleton: 'oлbra', banned_at: 1 })
      .execute();
    await old.close();

    const precious = await openPrecious(where, preciousMigrations);
    onTestFinished(() => precious.close());
    const db = precious.query<TreasuryTables>();
    const kept = await db
      .selectFrom('treasury_contributor')
      .select(['id', 'nickname'])
      .orderBy('created_at')
      .execute();
    expect(kept).toEqual(rows.map(([id, nickname]) => ({ id, nickname })));
    const skeletons = await db
      .selectFrom('treasury_nickname_skeleton')
      .select(['skeleton', 'contributor_id', 'freed_at'])
      .orderBy('contributor_id')
      .execute();
    expect(skeletons).toEqual([
      { skeleton: 'tou', contributor_id: 'VC-000000000001', freed_at: null },
      { skeleton: 'ᴀda', contributor_id: 'VC-000000000002', freed_at: null },
      { skeleton: 'tom', contributor_id: 'VC-000000000003', freed_at: null },
    ]);
    const choose = (id: string, nickname: string) =>
      updateContributor(precious, id, { nickname: readChosenNickname(nickname, profile) }, 5);
    expect(await choose('VC-000000000004', 'Ольга')).toBe('nickname_taken');
    expect(await choose('VC-000000000004', 'tom')).toBe('nickname_taken');
    expect(await choose('VC-000000000004', 'Tam')).toMatchObject({ nickname: 'Tam' });
    expect(await updateContributor(precious, 'VC-000000000001', { is_public: 0 }, 5)).toMatchObject({
      nickname: 'ΤΟΜ',
      is_public: 0,
    });
  });
});
