import { getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { verifyMerkleBranch } from '@coinfront/protocol/merkle.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { expect, test } from 'vitest';
import type { TestService } from '../harness/service.ts';
import { expectedBlock, expectedBlockSummary, expectedBlockTxs } from './expected-block.ts';
import { expectedTx } from './expected-tx.ts';
import { headerOf } from './node-chain.ts';
import { eachAtOnce, getJson, listPages, type Page } from './read-api.ts';
import { listBlocks, listTxs, type TruthContext } from './truth-context.ts';

/** Defines the tests that hold every transaction against the node, which must be at rest. */
export function defineTransactionTruths(get: () => TruthContext): void {
  test('every transaction is as the node decodes it, with fee, prevouts and spends', async () => {
    const { service, chain } = get();
    await eachAtOnce(listTxs(get()), async ({ tx: { txid } }) => {
      const answer = await readWholeTx(service, txid);
      expect(answer).toEqual(expectedTx(chain, txid, expect.any(String)));
    });
  });

  test('every transaction has its exact bytes', async () => {
    const { service } = get();
    await eachAtOnce(listTxs(get()), async ({ tx }) => {
      const expected = { txid: tx.txid, raw_tx: tx.hex, size: Number(tx.size) };
      expect(await getJson(service, `/api/v1/tx/${tx.txid}/raw`)).toEqual(expected);
    });
  });

  test('every confirmed transaction has a proof that holds without the service', async () => {
    const { service, node, chain } = get();
    const headers = new Map<number, string>();
    for (const { hash, height } of listBlocks(get())) {
      headers.set(Number(height), await headerOf(node, hash));
    }
    await eachAtOnce(listTxs(get()), async ({ tx, height, position }) => {
      if (height === undefined) return;
      const proof = await getJson(service, `/api/v1/tx/${tx.txid}/proof`);
      const header = headers.get(height)!;
      expect(proof).toMatchObject({
        header,
        block_hash: chain.blocks[height]!.hash,
        block_height: height,
        position,
      });
      const root = getHexBytes(header).subarray(36, 68);
      const branch = proof.branch.map((hash: string) => getValue(parseDisplayHash(hash)));
      const txid = getValue(parseDisplayHash(tx.txid));
      expect(verifyMerkleBranch(txid, branch, position, root)).toEqual({ ok: true, value: true });
    });
  });
}

/** Defines the tests that hold every block against the node, which must be at rest. */
export function defineBlockTruths(get: () => TruthContext): void {
  test('every block is as the node decodes it, by height and by hash', async () => {
    const { service, node, chain } = get();
    await eachAtOnce(listBlocks(get()), async (block) => {
      const { transactions, ...fields } = await getJson(service, `/api/v1/block/${block.height}?limit=7`);
      const header = await headerOf(node, block.hash);
      expect(fields).toEqual(expectedBlock(chain, block, header));
      const byHash = `/api/v1/block/${block.hash}`;
      expect(await getJson(service, `${byHash}?limit=7`)).toEqual({ transactions, ...fields });
      const pages = await listPages(service, byHash, 7, (answer) => answer.transactions as Page);
      expect(pages.flat()).toEqual(expectedBlockTxs(chain, block));
    });
  });

  test('the pages of /blocks are the whole chain from the tip down', async () => {
    const { service, chain } = get();
    const pages = await listPages(service, '/api/v1/blocks', 40);
    expect(pages.flat()).toEqual(
      chain.blocks.toReversed().map((block) => expectedBlockSummary(chain, block)),
    );
  });
}

/** All inputs and outputs of a transaction, which come 500 at a time. */
async function readWholeTx(service: TestService, txid: string): Promise<Record<string, unknown>> {
  const whole = await getJson(service, `/api/v1/tx/${txid}`);
  while (whole.next_input !== null || whole.next_output !== null) {
    const more = await getJson(
      service,
      `/api/v1/tx/${txid}?first_input=${whole.next_input ?? whole.input_count}&first_output=${whole.next_output ?? whole.output_count}`,
    );
    whole.inputs.push(...more.inputs);
    whole.outputs.push(...more.outputs);
    whole.next_input = more.next_input;
    whole.next_output = more.next_output;
  }
  return whole;
}
