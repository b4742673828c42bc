import type { Writer } from '../../service/src/db/database.ts';
import { compareWithNode } from '../../service/src/indexer/follow/find-fork.ts';
import { openPeerWatch } from '../../service/src/indexer/follow/settled-peers.ts';
import type { Mempool } from '../../service/src/indexer/mempool/mempool.ts';
import { openMempoolLook } from '../../service/src/indexer/mempool/refresh-mempool.ts';
import { createAnchorWallet } from '../../service/src/node/anchor-wallet.ts';
import { createBlockSource } from '../../service/src/node/block-source.ts';
import { sendRawTransaction, testMempoolAccept } from '../../service/src/node/broadcast.ts';
import { countTransactions } from '../../service/src/node/count-transactions.ts';
import { fetchNodeFees } from '../../service/src/node/fee-estimates.ts';
import { NodeError } from '../../service/src/node/node-error.ts';
import { fetchNodeFacts } from '../../service/src/node/node-facts.ts';
import { isCatchingUp } from '../../service/src/node/pending-blocks.ts';
import { findRefusedMethods } from '../../service/src/node/refused-methods.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';
import { readBatch, readSingle } from '../../service/src/node/rpc-envelope.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const hash = 'ab'.repeat(32);

/**
 * Bodies of a node's answers, one behind the other with a line of hyphens between; the last one is given to all calls that
 * follow. The first line of each says its status.
 */
export const rpcAnswerTarget: FuzzTarget = {
  name: 'rpc-answer',
  reads: 'answers of a node, and what each call makes of them',
  form: 'text',
  replayed: 1000,
  maxBytes: 4_096,
  seeds: [
    results(
      { chain: 'main', blocks: 5, headers: 6, initialblockdownload: false, pruned: true, pruneheight: 2 },
      { version: 210200, subversion: '/Satoshi/', connections: 8, warnings: ['a'], relayfee: 0.00001 },
      hash,
    ),
    results({ blocks: 5, headers: 7, initialblockdownload: false }, [
      { height: 7, status: 'headers-only', branchlen: 1 },
    ]),
    results(
      { mempoolminfee: 0.00001, minrelaytxfee: 0.00001 },
      { feerate: 0.0001, blocks: 2 },
      { errors: ['none'] },
    ),
    results([{ allowed: false, 'reject-reason': 'min relay fee not met' }]),
    results({ txcount: 7 }),
    results('00', { hex: '00', fee: 0.00001 }, { hex: '0100', complete: true }),
    results(3, [{ conntime: 1_600_000_000 }, { id: 1 }]),
    results([hash, '00'.repeat(32)], hash, { loaded: true }, ['0100', null]),
    results([hash, hash], [{ height: 9, branchlen: 2, status: 'invalid' }]),
    results('0100', { tx: [hash, hash] }, hash),
    '200\n[{"id":1,"result":null,"error":{"code":-26,"message":"dust"}},{"id":2,"result":"ab","error":null}]',
    '500\n{"id":1,"result":null,"error":{"code":-28,"message":"Loading"}}',
    '503\nWork queue depth exceeded',
    '401\n',
    '200\n{"id":1,"result":null,"error":null}',
  ].map(utf8),
  words: [
    'null',
    '[]',
    '{}',
    '[null]',
    '"result":',
    '"error":',
    '"id":1',
    '\n---\n',
    '-1',
    '1e999',
    '[{}]',
    '"x"',
  ],
  async check(input) {
    const node = playNode(toText(input).split('\n---\n'));
    const source = createBlockSource(node);
    await only(async () => {
      const facts = await fetchNodeFacts(node);
      demand(Number.isSafeInteger(facts.blocks) && typeof facts.chain === 'string', 'facts have their form');
    });
    await only(async () => demand(typeof (await isCatchingUp(node)) === 'boolean', 'yes or no'));
    await only(async () => {
      const { estimates, minimumRate } = await fetchNodeFees(node);
      for (const rate of [...estimates.values(), minimumRate ?? '0'])
        demand(/^\d+(\.\d+)?$/.test(rate), 'rates are decimals');
    });
    await only(async () => {
      const { txs } = await countTransactions(node, 5, { height: 1, txs: 2 });
      demand(Number.isFinite(txs), 'a count is a number');
    });
    await only(async () => void (await testMempoolAccept(node, '00')));
    await only(async () => void (await sendRawTransaction(node, '00', hash)));
    await only(async () => demand((await source.fetchBlock(hash)) instanceof Uint8Array, 'a block is bytes'));
    await only(async () => void (await source.fetchHashes(1, 2)));
    await only(async () => void (await source.findHeaders(hash, 2)));
    await only(async () => void (await findRefusedMethods(node, ['getblock', 'getblockhash'])));
    await only(async () => void (await wallet(node).sign('00', async () => [])));
    await only(async () => void (await openPeerWatch(node, tables).areSettled(1_700_000_000_000)));
    await only(async () => void (await openMempoolLook(node, emptyMempool)(hash, () => false)));
    for (const height of [-1, 9]) {
      await only(async () => {
        const rules = { genesisHash: hash, horizonBlocks: 100 };
        const tip = { height: 7, hash: '00'.repeat(32), previousHash: undefined };
        const relation = await compareWithNode(node, tables, { height, lowestFork: 0 }, tip, rules);
        if (relation.kind === 'other_chain') demand(relation.genesisHash.length === 64, 'a hash is a hash');
      });
    }
  },
  growing: {
    'a batch': (bytes) =>
      utf8(
        `200\n[${Array<string>(Math.ceil(bytes / 20))
          .fill('{"id":1,"result":1}')
          .join(',')}]`,
      ),
    nesting: (bytes) => utf8(`200\n${'['.repeat(Math.min(bytes, 4_000))}`),
    'a text': (bytes) => utf8(`200\n{"id":1,"result":"${'0a'.repeat(bytes / 2)}"}`),
    'an error': (bytes) => utf8(`200\n{"id":1,"error":{"code":-26,"message":"${' '.repeat(bytes)}x"}}`),
    numbers: (bytes) => utf8(`200\n{"id":1,"result":[${'1,'.repeat(bytes / 2)}1]}`),
    peers: (bytes) => utf8(`200\n{"id":1,"result":[${'{},'.repeat(bytes / 3)}{}]}`),
  },
};

const wallet = (node: NodeClient) => createAnchorWallet(node, { maxFee: '0.001', decimals: 8 });

/** An index in which every block has the same hash. */
const tables = {
  get: async () => ({ hash: new Uint8Array(32).fill(0xab), value: '1' }),
  run: async () => {},
} as unknown as Writer;

const emptyMempool = {
  isEmpty: true,
  has: () => false,
  txids: () => [].values(),
  update: async (added: readonly Uint8Array[]) => added.length,
} as unknown as Mempool;

/** Throws all but what callers are told of. */
async function only(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    demand(error.message.length < 2_000, 'messages are short');
  }
}

/** A client whose node gives these answers in turn. */
function playNode(bodies: readonly string[]): NodeClient {
  let next = 0;
  const give = () => {
    const text = bodies[Math.min(next++, bodies.length - 1)]!;
    const at = text.indexOf('\n');
    return { status: Number(text.slice(0, 3)) || 200, body: Buffer.from(at < 0 ? text : text.slice(at + 1)) };
  };
  const read = (exactNumbers: boolean) => readSingle(give(), { id: 1, label: 'a call', exactNumbers });
  return {
    origin: 'http://node',
    call: async <T>() => read(false) as T,
    callText: async <T>() => read(true) as T,
    batch: async (calls) => readBatch(give(), { firstId: 1, count: calls.length, label: 'a batch' }),
    get: async () => give(),
    close: async () => {},
  };
}

function results(...values: unknown[]): string {
  return values.map((result) => `200\n${JSON.stringify({ id: 1, result, error: null })}`).join('\n---\n');
}
