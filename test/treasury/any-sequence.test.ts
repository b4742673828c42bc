import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin, type RawTx } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import {
  type Contributor,
  contribute,
  type Json,
  openTreasuryDesk,
  spendTreasury,
  type TreasuryDesk,
  treasury,
  units,
} from './treasury-desk.ts';

const STEPS = 24;
const COIN = 20_000_000n;
/** More than one commit of the ledger takes at once, and than it first looks at. */
const COINBASES = 260;
const BLOCKS_BEFORE = 600;

let node: TestNode;
let nextCoin: () => RawCoin;

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 120, value: COIN, owner: 1 });
  await node.mine(COINBASES, treasury.address);
  await node.mine(BLOCKS_BEFORE);
});
afterAll(() => node.stop());

/** A transaction that was made, and the intent that it is for. */
type Made = { tx: RawTx; intent: Json | undefined };

forEachEngine('the treasury, whatever happens,', (engine) => {
  let desk: TreasuryDesk;
  let second: TestService | undefined;
  beforeAll(async () => {
    const database: DatabaseLocation = await engine.openUrl();
    desk = await openTreasuryDesk(node, database);
    // Another process that follows for the same treasury.
    if (engine.kind === 'postgres') {
      const settings = { COINFRONT_ROLES: 'worker' };
      second = await startService({ nodeUrl: node.url, database, settings, waitFor: 'nothing' });
    }
    await desk.settle();
  });
  afterAll(async () => {
    await desk.stop();
    await second?.stop();
  });

  const seed = Date.now() % 1_000_000_007;
  test(`has books that are the chain's, and credits what is in it (seed ${seed})`, async () => {
    const random = createRandom(seed);
    const below = (count: number) => Math.floor(random.next() * count);
    const contributors: Contributor[] = [await desk.register(), await desk.register()];
    const base = await node.rpc<number>('getblockcount');
    expect((await desk.checkBooks()).coinbase_in).not.toBe('0.00000000');
    const made: Made[] = [];
    /** Mines what can be mined of these; a reorganisation may have spent a coin otherwise. */
    const mine = async (txs: readonly RawTx[]) => {
      await mineExactly(node, txs).catch(async () => {
        for (const tx of txs) await mineExactly(node, [tx]).catch(() => undefined);
      });
    };
    const makeIntent = () =>
      desk.intent(contributors[below(2)]!, below(3) === 0 ? { method: 'carrier' } : {});
    const payTo = (intent: Json): Made => {
      const byCarrier = intent.exact_amount === null || below(2) === 0;
      const value = intent.exact_amount === null ? 700_000n : units(intent.exact_amount);
      const more = byCarrier ? { carrier: intent.carrier.script } : {};
      return { tx: contribute(nextCoin(), [byCarrier ? value + BigInt(below(1_000)) : value], more), intent };
    };
    const actions: readonly (() => Promise<void>)[] = [
      async () => {
        const intent = await makeIntent();
        // Now and then twice for one intent.
        const paid = Array.from({ length: 1 + (below(3) === 0 ? 1 : 0) }, () => payTo(intent));
        made.push(...paid);
        await mine(paid.map(({ tx }) => tx));
      },
      async () => {
        const stray = { tx: contribute(nextCoin(), [300_000n + BigInt(below(9))]), intent: undefined };
        made.push(stray);
        await mine([stray.tx]);
      },
      async () => {
        const from = made.at(below(made.length));
        const output = from && (await node.rpc<{ value: number } | null>('gettxout', from.tx.txid, 0, false));
        if (!from || !output) return;
        const value = BigInt(Math.round(output.value * 1e8));
        const back = below(2) === 0 ? [{ value: value / 3n, script: treasury.script }] : [];
        const coin = { txid: from.tx.txid, vout: 0, value };
        await mine([spendTreasury([coin], [{ value: value / 3n }, ...back])]);
      },
      async () => {
        for (let i = 0; i <= below(3); i++) await mine([]);
      },
      async () => {
        const tip = await node.rpc<number>('getblockcount');
        const depth = Math.min(1 + below(5), tip - base);
        if (depth === 0) return;
        await node.rpc('invalidateblock', await node.rpc('getblockhash', tip - depth + 1));
        const again = made.filter(() => below(3) > 0).map(({ tx }) => tx);
        for (let i = 0; i <= depth; i++) await mine(again.filter((_, at) => at % (depth + 1) === i));
      },
    ];
    for (let step = 0; step < STEPS; step++) {
      await actions[below(actions.length)]!();
      if (step % 6 === 5) await desk.checkBooks();
    }
    await desk.checkBooks();

    // What is in the node's own chain is credited to its intent, and nothing else is.
    const expected: string[] = [];
    const known = new Map(made.map((each) => [each.tx.txid, each]));
    const tip = await node.rpc<number>('getblockcount');
    for (let height = base + 1; height <= tip; height++) {
      const { tx } = await node.rpc<{ tx: string[] }>('getblock', await node.rpc('getblockhash', height));
      for (const txid of tx) {
        const id = known.get(txid)?.intent?.id;
        if (id !== undefined) expected.push(`${txid} ${id}`);
      }
    }
    const credited: string[] = [];
    for (const { secret } of contributors) {
      const { contributions } = await desk.post('/me', { contributor_secret: secret }, 200);
      credited.push(...contributions.map(({ txid, intent_id }: Json) => `${txid} ${intent_id}`));
    }
    expect(credited.sort()).toEqual(expected.sort());
    if (second) expect(second.printed()).not.toContain('"level":50');
  });
});
