import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { bytesToHex, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, serializeTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { expect, test } from 'vitest';
import { forEachEngine } from '../../../../test/harness/engines.ts';
import type { ReadChain } from '../../chain/chain-view.ts';
import { createClientNames } from '../../clients/client-names.ts';
import { openPrecious, type Precious } from '../../db/precious.ts';
import { preciousMigrations } from '../../migrations.ts';
import { type ListTaken, listCoins } from '../../node/anchor-wallet.ts';
import type { BroadcastResult } from '../../node/broadcast.ts';
import { NodeError } from '../../node/node-error.ts';
import { createFixtureChain, makeTx } from '../../testing/fixture-chain.ts';
import { scriptOf } from '../../testing/fixture-server.ts';
import { readFixture } from '../../testing/fixture-view.ts';
import { type AnchorTables, findRequest, insertRequest } from './anchor-store.ts';
import { type AnchorerOptions, openAnchorer } from './anchorer.ts';

const MARKER = getHexBytes('56504631');
const DAY_MS = 86_400_000;
const NOW = DAY_MS * 20_000;

type Answer = BroadcastResult | Error;

/** A wallet and a node that count what they are asked, and fail when told to; a chain with coins of the wallet. */
function createFakes() {
  const chain = createFixtureChain(scriptOf(1));
  while (chain.blocks.length < 40) chain.addBlock(scriptOf(1));
  const signed: string[] = [];
  const sent: string[] = [];
  const answers: Answer[] = [];
  let refuse: Error | undefined;
  let isForgetful = false;
  const coins = chain.txs.slice(1).map(({ txid }) => ({ txid, isSpent: false }));
  return {
    chain,
    signed,
    sent,
    /** What the next broadcasts end with; after them all succeed. */
    answerNext: (...next: Answer[]) => answers.push(...next),
    refuseToSign: (error: Error | undefined) => {
      refuse = error;
    },
    /** The wallet offers all its coins again, as after a crash of the node. */
    forget: () => {
      isForgetful = true;
      for (const coin of coins) coin.isSpent = false;
    },
    /** Another transaction spends the coin of this one, and is mined with so many blocks on it. */
    spendCoinOf: (rawTxHex: string, blocks: number) => {
      const { inputs } = getValue(parseTransaction(getHexBytes(rawTxHex)));
      const [{ prevTxid }] = inputs as [(typeof inputs)[0]];
      chain.addBlock(scriptOf(1), [
        makeTx([{ txid: prevTxid, vout: 0 }], [{ value: 7n, script: scriptOf(2) }]),
      ]);
      for (let i = 1; i < blocks; i++) chain.addBlock(scriptOf(1));
    },
    wallet: {
      payFor: async () => undefined,
      async sign(payloadHex: string, listTaken: ListTaken) {
        if (refuse) throw refuse;
        for (;;) {
          const parent = coins.find(({ isSpent }) => !isSpent)!;
          parent.isSpent = true;
          const coin = `${toDisplayHash(parent.txid)}:0`;
          const isTaken = (await listTaken([coin])).length > 0;
          if (isTaken && !isForgetful) throw new Error('the wallet offers a coin that is taken');
          if (isTaken) continue;
          signed.push(payloadHex);
          const made = makeTx(
            [{ txid: parent.txid, vout: 0 }],
            [{ value: 1n, script: getHexBytes(`6a24${payloadHex}`) }],
          );
          const rawTxHex = bytesToHex(serializeTransaction(made, { witness: true }));
          return { rawTxHex, txid: toDisplayHash(txidOf(made)), coins: [coin] };
        }
      },
    },
    async broadcast(rawTxHex: string, txid: string): Promise<BroadcastResult> {
      sent.push(rawTxHex);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? { ok: true, txid, alreadyKnown: false };
    },
  };
}

/** An index that is whole as of a time. */
function readAsOf({ chain }: ReturnType<typeof createFakes>, atMs: number): ReadChain {
  return (read) => readFixture(chain)((view) => read({ ...view, getSynced: async () => ({ atMs }) }));
}

forEachEngine('the anchorer', (engine) => {
  async function openDatabase(): Promise<Precious> {
    const location = await engine.openUrl();
    return await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      preciousMigrations,
    );
  }

  function createOptions(precious: Precious, fakes: ReturnType<typeof createFakes>): AnchorerOptions {
    return {
      precious,
      readChain: readAsOf(fakes, NOW),
      rules: { marker: MARKER, finalConfirmations: 6 },
      wallet: fakes.wallet,
      broadcast: fakes.broadcast,
      dailyLimit: 10,
      dailyLimitPerClient: 3,
      nameClient: createClientNames(precious),
      now: () => NOW,
      keepSendingEveryMs: undefined,
    };
  }

  /** Runs the keeper until it has sent something. */
  async function keepSendingOnce(
    options: AnchorerOptions,
    fakes: ReturnType<typeof createFakes>,
  ): Promise<void> {
    const before = fakes.sent.length;
    const anchorer = openAnchorer({ ...options, keepSendingEveryMs: 1 });
    while (fakes.sent.length === before) await new Promise((resolve) => setImmediate(resolve));
    await anchorer.stop();
  }

  test('makes one transaction for a digest, whoever asks at once, in two processes', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const anchorers = [
      openAnchorer(createOptions(precious, fakes)),
      openAnchorer(createOptions(precious, fakes)),
    ];
    const digest = randomBytes(32);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => anchorers[i % 2]!.anchor(digest, `192.0.2.${i}`)),
    );
    // On SQLite two processes have no common turn; of what both sign only one is ever sent.
    expect(fakes.signed.length).toBeLessThanOrEqual(engine.kind === 'sqlite' ? 2 : 1);
    expect(fakes.sent).toHaveLength(1);
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(outcomes[0]!.ok).toBe(true);
    await precious.close();
  });

  test('sends the same transaction again when the node was away, and gives the same txid meanwhile', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    const digest = randomBytes(32);
    fakes.answerNext(new NodeError('unreachable', 'gone'));
    const first = await openAnchorer(options).anchor(digest, '192.0.2.1');
    const query = () => precious.query<AnchorTables>();
    expect((await findRequest(query(), digest.toString('hex')))?.state).toBe('signed');
    expect(await openAnchorer(options).anchor(digest, '192.0.2.2')).toEqual(first);
    await keepSendingOnce(options, fakes);
    expect(new Set(fakes.sent).size).toBe(1);
    expect(fakes.signed).toHaveLength(1);
    expect((await findRequest(query(), digest.toString('hex')))?.state).toBe('sent');
    await precious.close();
  });

  test('sends nothing while the index may not know of an anchor, nor for a digest that it finds there', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = { ...createOptions(precious, fakes), readChain: readAsOf(fakes, NOW - 121_000) };
    const digest = randomBytes(32);
    await expect(openAnchorer(options).anchor(digest, '192.0.2.1')).rejects.toMatchObject({
      code: 'not_ready',
    });
    expect(await findRequest(precious.query<AnchorTables>(), digest.toString('hex'))).toBeUndefined();

    const sent = await openAnchorer(createOptions(precious, fakes)).anchor(digest, '192.0.2.1');
    expect(await openAnchorer(options).anchor(digest, '192.0.2.1')).toEqual(sent);
    const tx = getValue(parseTransaction(getHexBytes(fakes.sent[0]!)));
    fakes.chain.addBlock(scriptOf(1), [tx]);
    // The keeper forgets what is final, as it would a day later.
    await precious.query<AnchorTables>().deleteFrom('anchor_request').execute();
    expect(await openAnchorer(createOptions(precious, fakes)).anchor(digest, '192.0.2.1')).toEqual(sent);
    expect(fakes.signed).toHaveLength(1);
    await precious.close();
  });

  test('begins anew what was interrupted before anything was signed, once its claim ran out', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    const interrupted = randomBytes(32);
    await precious
      .query<AnchorTables>()
      .insertInto('anchor_request')
      .values({
        digest: interrupted.toString('hex'),
        state: 'preparing',
        day: 20_000,
        client: 'x',
        txid: null,
        raw_tx: null,
        claimed_until: options.now() - 1,
        created_at: options.now() - 1_000,
      })
      .execute();
    // Sending another one shows that the keeper has made its round.
    fakes.answerNext(new NodeError('unreachable', 'gone'));
    await openAnchorer(options).anchor(randomBytes(32), '192.0.2.1');
    await keepSendingOnce(options, fakes);
    expect((await openAnchorer(options).anchor(interrupted, '192.0.2.1')).ok).toBe(true);
    expect(fakes.signed).toHaveLength(2);
    await precious.close();
  });

  test('signs at once for what was interrupted before anything was signed', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    const digest = randomBytes(32);
    await insertRequest(precious.query<AnchorTables>(), {
      digest: digest.toString('hex'),
      state: 'preparing',
      day: 20_000,
      client: 'x',
      txid: null,
      raw_tx: null,
      claimed_until: options.now() + 60_000,
      created_at: options.now(),
    });
    expect((await openAnchorer(options).anchor(digest, '192.0.2.1')).ok).toBe(true);
    expect(fakes.signed).toHaveLength(1);
    await precious.close();
  });

  test('forgets a transaction only once another that is final has spent its coin', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    const digest = randomBytes(32);
    const first = await openAnchorer(options).anchor(digest, '192.0.2.1');
    const refused = { ok: false, code: 'missing_inputs', reason: 'spent' } as const;
    // The node says that the coin is missing, but the chain has it.
    fakes.answerNext(refused);
    await keepSendingOnce(options, fakes);
    expect(await openAnchorer(options).anchor(digest, '192.0.2.1')).toEqual(first);
    fakes.spendCoinOf(fakes.sent[0]!, 5);
    fakes.answerNext(refused);
    await keepSendingOnce(options, fakes);
    expect(await openAnchorer(options).anchor(digest, '192.0.2.1')).toEqual(first);
    fakes.chain.addBlock(scriptOf(1));
    fakes.answerNext(refused);
    await keepSendingOnce(options, fakes);
    const second = await openAnchorer(options).anchor(digest, '192.0.2.1');
    expect(second).toMatchObject({ ok: true });
    expect(second).not.toEqual(first);
    const coins = await precious.query<AnchorTables>().selectFrom('anchor_coin').selectAll().execute();
    expect(coins).toHaveLength(1);
    await precious.close();
  });

  test('never spends a coin twice, also when the wallet has forgotten that it spent it', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = { ...createOptions(precious, fakes), dailyLimitPerClient: 10 };
    fakes.answerNext(new NodeError('unreachable', 'gone'));
    await openAnchorer(options).anchor(randomBytes(32), '192.0.2.1');
    fakes.forget();
    const anchorers = [openAnchorer(options), openAnchorer(options)];
    await Promise.all(
      Array.from({ length: 6 }, (_, i) => anchorers[i % 2]!.anchor(randomBytes(32), '192.0.2.1')),
    );
    await Promise.all(
      Array.from({ length: 6 }, (_, i) => anchorers[i % 2]!.anchor(randomBytes(32), '192.0.2.1')),
    );
    const spent = fakes.sent.flatMap((raw) => listCoins(raw));
    expect(spent.length).toBeGreaterThan(3);
    expect(new Set(spent).size).toBe(spent.length);
    await precious.close();
  });

  test('looks after the others when the node says something odd of one', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    const away = new NodeError('unreachable', 'gone');
    fakes.answerNext(away, away, away);
    for (let i = 0; i < 3; i++) await openAnchorer(options).anchor(randomBytes(32), '192.0.2.1');
    fakes.answerNext(new NodeError('rpc', 'odd', { rpcCode: -1 }));
    const before = fakes.sent.length;
    const anchorer = openAnchorer({ ...options, keepSendingEveryMs: 60_000 });
    while (fakes.sent.length < before + 3) await new Promise((resolve) => setImmediate(resolve));
    await anchorer.stop();
    expect(new Set(fakes.sent.slice(before)).size).toBe(3);
    await precious.close();
  });

  test('takes a transaction back that no waiting helps, so that it costs neither budget nor coin', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    fakes.answerNext({ ok: false, code: 'non_standard', reason: 'scriptpubkey' });
    const digest = randomBytes(32);
    const anchorer = openAnchorer(options);
    expect(await anchorer.anchor(digest, '192.0.2.1')).toEqual({ ok: false, reason: 'wallet_unavailable' });
    const query = precious.query<AnchorTables>();
    expect(await findRequest(query, digest.toString('hex'))).toBeUndefined();
    expect(await query.selectFrom('anchor_coin').selectAll().execute()).toEqual([]);
    expect((await anchorer.anchor(digest, '192.0.2.1')).ok).toBe(true);
    await precious.close();
  });

  test('sends away whom a wallet that does not answer would keep waiting', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    let answer = (): void => {};
    const hanging = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const wallet = {
      ...fakes.wallet,
      sign: async (payloadHex: string, listTaken: ListTaken) => {
        await hanging;
        return await fakes.wallet.sign(payloadHex, listTaken);
      },
    };
    const options = {
      ...createOptions(precious, fakes),
      wallet,
      dailyLimit: 1_000,
      dailyLimitPerClient: 1_000,
    };
    const anchorer = openAnchorer(options);
    const asked = Array.from({ length: 130 }, () => anchorer.anchor(randomBytes(32), '192.0.2.1'));
    const [first] = await Promise.all([Promise.race(asked), Promise.any(asked)]);
    expect(first).toEqual({ ok: false, reason: 'wallet_unavailable' });
    fakes.refuseToSign(new NodeError('rpc', 'locked'));
    answer();
    const outcomes = await Promise.all(asked);
    expect(outcomes.every(({ ok }) => !ok)).toBe(true);
    await precious.close();
  });

  test('keeps a transaction that the node does not want for the moment', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    const digest = randomBytes(32);
    fakes.answerNext({ ok: false, code: 'mempool_full', reason: 'full' });
    const first = await openAnchorer(options).anchor(digest, '192.0.2.1');
    fakes.answerNext({ ok: false, code: 'fee_too_low', reason: 'low' });
    await keepSendingOnce(options, fakes);
    expect(await openAnchorer(options).anchor(digest, '192.0.2.1')).toEqual(first);
    expect(fakes.signed).toHaveLength(1);
    await precious.close();
  });

  test('holds the budget of the day and of each client, and spends nothing on what the wallet refused', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    const anchorer = openAnchorer(options);
    fakes.refuseToSign(new NodeError('rpc', 'Insufficient funds'));
    expect(await anchorer.anchor(randomBytes(32), '192.0.2.1')).toEqual({
      ok: false,
      reason: 'wallet_unavailable',
    });
    fakes.refuseToSign(undefined);
    const ask = async (client: string) =>
      (await anchorer.anchor(randomBytes(32), client)) as { reason?: string };
    for (let i = 0; i < 3; i++) expect((await ask('192.0.2.1')).reason).toBeUndefined();
    expect((await ask('192.0.2.1')).reason).toBe('daily_limit_per_client');
    const rest = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(`198.51.100.${i}`)));
    expect(rest.filter(({ reason }) => reason === undefined)).toHaveLength(7);
    expect(rest.filter(({ reason }) => reason === 'daily_limit')).toHaveLength(5);
    expect((await anchorer.describeBudget()).left_today).toBe(0);
    const tomorrow = openAnchorer({
      ...options,
      now: () => NOW + DAY_MS,
      readChain: readAsOf(fakes, NOW + DAY_MS),
    });
    expect((await tomorrow.anchor(randomBytes(32), '192.0.2.1')).ok).toBe(true);
    expect(fakes.signed).toHaveLength(11);
    await precious.close();
  });

  test('anchors what the service asks for itself when the budget is used up, and once', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const anchorer = openAnchorer({ ...createOptions(precious, fakes), dailyLimit: 0 });
    const digest = randomBytes(32);
    expect(await anchorer.anchor(digest, '192.0.2.1')).toEqual({ ok: false, reason: 'daily_limit' });
    const [first, second] = await Promise.all([anchorer.anchorOwn(digest), anchorer.anchorOwn(digest)]);
    expect(first).toMatchObject({ ok: true });
    expect(second).toEqual(first);
    expect(fakes.signed).toHaveLength(1);
    await precious.close();
  });

  test('gives all of a /48 a quarter of the day, and keeps no address', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const anchorer = openAnchorer({ ...createOptions(precious, fakes), dailyLimit: 40 });
    const outcomes = [];
    for (let i = 0; i < 16; i++)
      outcomes.push(await anchorer.anchor(randomBytes(32), `2001:db8:1:${i.toString(16)}00::1`));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(10);
    expect(outcomes.at(-1)).toEqual({ ok: false, reason: 'daily_limit_per_client' });
    expect((await anchorer.anchor(randomBytes(32), '192.0.2.1')).ok).toBe(true);
    const rows = await precious.query<AnchorTables>().selectFrom('anchor_request').select('client').execute();
    for (const { client } of rows) expect(client).toMatch(/^[0-9a-f]{32}( [0-9a-f]{32}){0,2}$/);
    await precious.close();
  });
});
