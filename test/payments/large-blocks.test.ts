import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { makeMatureCoins, mineExactly, type RawCoin, type RawOutput, spend } from '../harness/raw-coins.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';

/** A block with more outputs than are looked up at once, and more of payments than are read at once. */

const VALUE = 1_000n;
const STRANGER = 7;
const FIRST_OWNER = 50_000;
/** Outputs of its two transactions: the thousandth of the block is one of the second. */
const OUTPUTS = [900, 1_500];
const PAYMENTS = 230;

let node: TestNode;
let coins: RawCoin[];

beforeAll(async () => {
  node = await startNode();
  coins = await makeMatureCoins(node, { count: 2, value: 2_000_000n, owner: 1 });
});
afterAll(() => node.stop());

/** Of output after output whose it is. Every tenth is a payment's, and so are neighbours of the thousandth; the last pays the first payment again. */
function drawOwners(): number[] {
  const count = OUTPUTS[0]! + OUTPUTS[1]!;
  let next = FIRST_OWNER;
  const owners = Array.from({ length: count }, (_, i) =>
    (i % 10 === 0 || Math.abs(i - 998) < 3) && next < FIRST_OWNER + PAYMENTS ? next++ : STRANGER,
  );
  owners[count - 1] = FIRST_OWNER;
  return owners;
}

forEachEngine('a large block', (engine) => {
  let suite: DeskSuite;
  beforeAll(async () => {
    suite = await openDeskSuite(engine, node.url);
  });
  afterAll(() => suite.close());

  test('pays each of hundreds of payments among thousands of outputs, and each output counts once', async () => {
    const { desk } = suite;
    const ids: string[] = [];
    for (let i = 0; i < PAYMENTS; i++)
      ids.push(await desk.open({ owner: FIRST_OWNER + i, amount: VALUE, confirmations: 1 }));

    const owners = drawOwners();
    const outputs = owners.map((owner): RawOutput => ({ owner, value: VALUE }));
    const txs = [
      spend([coins[0]!], outputs.slice(0, OUTPUTS[0])),
      spend([coins[1]!], outputs.slice(OUTPUTS[0])),
    ];
    const tip = await mineExactly(node, txs);
    await desk.waitForJudged(tip);

    const found = await Promise.all(ids.map((id) => desk.outputs(id)));
    const wanted = ids.map((_, i) =>
      owners
        .flatMap((owner, at) => (owner === FIRST_OWNER + i ? at : []))
        .map((at) => (at < OUTPUTS[0]! ? `${txs[0]!.txid}:${at}` : `${txs[1]!.txid}:${at - OUTPUTS[0]!}`)),
    );
    expect(found.map((rows) => rows.map(({ txid, vout }) => `${txid}:${vout}`).sort())).toEqual(
      wanted.map((each) => each.sort()),
    );
    expect(await desk.row(ids[0]!)).toMatchObject({ status: 'overpaid', mined: String(2n * VALUE) });
    expect(await desk.row(ids.at(-1)!)).toMatchObject({ status: 'paid', mined: String(VALUE) });
    await node.rpc('invalidateblock', tip);
  });
});
