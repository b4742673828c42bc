import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { expect, test } from 'vitest';
import { forEachEngine } from '../../../../test/harness/engines.ts';
import { openPrecious, type Precious } from '../../db/precious.ts';
import { preciousMigrations } from '../../migrations.ts';
import type { BroadcastResult } from '../../node/broadcast.ts';
import { NodeError } from '../../node/node-error.ts';
import { createFixtureChain } from '../../testing/fixture-chain.ts';
import { scriptOf } from '../../testing/fixture-server.ts';
import { readFixture } from '../../testing/fixture-view.ts';
import { type AnchorTables, findRequest } from './anchor-store.ts';
import { type AnchorerOptions, openAnchorer } from './anchorer.ts';

const MARKER = getHexBytes('56504631');
const DAY_MS = 86_400_000;

type Answer = BroadcastResult | Error;

/** A wallet and a node that count what they are asked, and fail when told to. */
function createFakes() {
  const signed: string[] = [];
  const sent: string[] = [];
  const answers: Answer[] = [];
  let refuse: Error | undefined;
  return {
    signed,
    sent,
    /** What the next broadcasts end with; after them all succeed. */
    answerNext: (...next: Answer[]) => answers.push(...next),
    refuseToSign: (error: Error | undefined) => {
      refuse = error;
    },
    wallet: {
      async sign(payloadHex: string) {
        if (refuse) throw refuse;
        signed.push(payloadHex);
        // As a wallet does: another transaction each time.
        const txid = randomBytes(32).toString('hex');
        return { rawTxHex: `raw-${txid}`, txid };
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

forEachEngine('the anchorer', (engine) => {
  async function openDatabase(): Promise<Precious> {
    const location = await engine.openUrl();
    return await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      preciousMigrations,
    );
  }

  function createOptions(precious: Precious, fakes: ReturnType<typeof createFakes>): AnchorerOptions {
    const chain = createFixtureChain(scriptOf(1));
    return {
      precious,
      readChain: readFixture(chain),
      rules: { marker: MARKER, finalConfirmations: 6 },
      wallet: fakes.wallet,
      broadcast: fakes.broadcast,
      dailyLimit: 10,
      dailyLimitPerClient: 3,
      now: () => DAY_MS * 20_000,
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
      Array.from({ length: 20 }, (_, i) => anchorers[i % 2]!.anchor(digest, `client ${i}`)),
    );
    expect(fakes.signed).toHaveLength(1);
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
    const first = await openAnchorer(options).anchor(digest, 'a');
    const query = () => precious.query<AnchorTables>();
    expect((await findRequest(query(), digest.toString('hex')))?.state).toBe('signed');
    expect(await openAnchorer(options).anchor(digest, 'b')).toEqual(first);
    await keepSendingOnce(options, fakes);
    expect(new Set(fakes.sent).size).toBe(1);
    expect(fakes.signed).toHaveLength(1);
    expect((await findRequest(query(), digest.toString('hex')))?.state).toBe('sent');
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
    await openAnchorer(options).anchor(randomBytes(32), 'a');
    await keepSendingOnce(options, fakes);
    expect((await openAnchorer(options).anchor(interrupted, 'a')).ok).toBe(true);
    expect(fakes.signed).toHaveLength(2);
    await precious.close();
  });

  test('forgets a transaction that lost its coins, so that the digest can be asked for again', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    const digest = randomBytes(32);
    const first = await openAnchorer(options).anchor(digest, 'a');
    fakes.answerNext({ ok: false, code: 'missing_inputs', reason: 'spent' });
    await keepSendingOnce(options, fakes);
    const second = await openAnchorer(options).anchor(digest, 'a');
    expect(second).toMatchObject({ ok: true });
    expect(second).not.toEqual(first);
    await precious.close();
  });

  test('keeps a transaction that the node does not want for the moment', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    const digest = randomBytes(32);
    fakes.answerNext({ ok: false, code: 'mempool_full', reason: 'full' });
    const first = await openAnchorer(options).anchor(digest, 'a');
    fakes.answerNext({ ok: false, code: 'fee_too_low', reason: 'low' });
    await keepSendingOnce(options, fakes);
    expect(await openAnchorer(options).anchor(digest, 'a')).toEqual(first);
    expect(fakes.signed).toHaveLength(1);
    await precious.close();
  });

  test('holds the budget of the day and of each client, and spends nothing on what the wallet refused', async () => {
    const precious = await openDatabase();
    const fakes = createFakes();
    const options = createOptions(precious, fakes);
    const anchorer = openAnchorer(options);
    fakes.refuseToSign(new NodeError('rpc', 'Insufficient funds'));
    expect(await anchorer.anchor(randomBytes(32), 'a')).toEqual({ ok: false, reason: 'wallet_unavailable' });
    fakes.refuseToSign(undefined);
    const ask = async (client: string) =>
      (await anchorer.anchor(randomBytes(32), client)) as { reason?: string };
    for (let i = 0; i < 3; i++) expect((await ask('a')).reason).toBeUndefined();
    expect((await ask('a')).reason).toBe('daily_limit_per_client');
    const rest = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(`b${i}`)));
    expect(rest.filter(({ reason }) => reason === undefined)).toHaveLength(7);
    expect(rest.filter(({ reason }) => reason === 'daily_limit')).toHaveLength(5);
    expect((await anchorer.describeBudget()).left_today).toBe(0);
    const tomorrow = openAnchorer({ ...options, now: () => options.now() + DAY_MS });
    expect((await tomorrow.anchor(randomBytes(32), 'a')).ok).toBe(true);
    expect(fakes.signed).toHaveLength(11);
    await precious.close();
  });
});
