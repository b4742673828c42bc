import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { txidOf } from '@coinfront/protocol/transaction.ts';
import { afterAll, expect, test } from 'vitest';
import { makeTx } from '../../testing/fixture-chain.ts';
import { createFixtureServer, makeFixtureChain, miner, scriptOf } from '../../testing/fixture-server.ts';

const chain = makeFixtureChain();
const { txid } = chain.txs.find((each) => each.tx.outputs.length > 20)!;
const ITEMS = [3, 12_001, 2, 4_999, 1];
const tx = makeTx(
  ITEMS.map((_, i) => ({ txid, vout: i + 5 })),
  [{ value: 1_000n, script: scriptOf(miner) }],
  [Uint8Array.of(1)],
);
for (const [i, count] of ITEMS.entries()) {
  tx.inputs[i]!.witness = Array.from({ length: count }, (_, item) => Uint8Array.of(i, item & 255, item >> 8));
}
chain.addToMempool([tx]);
const server = createFixtureServer({ chain });
afterAll(() => server.app.close());

type Shown = {
  inputs: { index: number; witness: string[]; witness_count?: number }[];
  next_input: number | null;
};

async function read(query: string): Promise<Shown> {
  const url = `/api/v1/tx/${toDisplayHash(txidOf(tx))}?${query}`;
  const answer = await server.app.inject(url);
  expect(answer.statusCode).toBe(200);
  return answer.json<Shown>();
}

test('no answer has more than 5,000 witness items, and following what each says gives all of them, once', async () => {
  const all: string[][] = ITEMS.map(() => []);
  for (let first: number | null = 0; first !== null; ) {
    const page = await read(`first_input=${first}`);
    for (let { inputs } = page; inputs.length > 0; ) {
      expect(inputs.reduce((sum, { witness }) => sum + witness.length, 0)).toBeLessThanOrEqual(5_000);
      for (const { index, witness } of inputs) all[index]!.push(...witness);
      const cut = inputs.find(({ index, witness_count = 0 }) => all[index]!.length < witness_count);
      if (cut === undefined) break;
      expect(cut).toBe(inputs[0]);
      const more = await read(`first_input=${cut.index}&first_witness=${all[cut.index]!.length}`);
      inputs = more.inputs.slice(0, 1);
    }
    first = page.next_input;
  }
  expect(all).toEqual(
    tx.inputs.map(({ witness }) => witness.map((item) => Buffer.from(item).toString('hex'))),
  );
});

test('an input whose items are all there does not say how many there are', async () => {
  const { inputs } = await read('');
  expect(inputs.map((input) => 'witness_count' in input)).toEqual(inputs.map(() => false));
  const { inputs: whole } = await read('first_input=1&first_witness=20000');
  expect([whole[0]!.witness, whole[0]!.witness_count]).toEqual([[], 12_001]);
});
