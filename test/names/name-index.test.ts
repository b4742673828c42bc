import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { nameCommitment } from '@coinfront/protocol/names/name-commitment.ts';
import { encodeNameOperation, type NameOperation } from '@coinfront/protocol/names/name-operation.ts';
import { carrierOutput } from '@coinfront/protocol/testing/spends.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../scripts/traffic/random.ts';
import { listIndexerParts } from '../../service/src/indexer-parts.ts';
import { forEachEngine } from '../harness/engines.ts';
import { expectFresh } from '../harness/fresh-index.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import {
  listQuietBlocks,
  type MinedBlock,
  mineSigned,
  rememberCoins,
  switchBranch,
} from '../harness/signed-blocks.ts';
import {
  createSigner,
  fundSigners,
  type Signed,
  type Signer,
  signTransaction,
} from '../harness/signing-wallet.ts';
import { catchUp, openTestIndexer, type TestIndexer } from '../harness/test-indexer.ts';
import { shortLivedContext, shortLivedProfile } from './name-profile.ts';
import { expectLedger } from './name-truth.ts';

/** Both branches go over the height at which the state is hashed. */
const STATE_HASHED = 1_000;
const BEFORE_STATE_HASH = 90;
const BLOCKS = 110;
const FORK_DEPTH = 40;
const NAMES = ['abcd.coin', 'abcde.test'];
const SIGHASHES = [1, 1, 1, 1, 1, 1, 1, 1, 0x83, 0x81];

const { rules } = shortLivedContext;
const parts = listIndexerParts(shortLivedProfile);
const salt = new Uint8Array(16).fill(5);

let node: TestNode;
let signers: Signer[] = [];
/** Block hashes below the first block with operations. */
let quiet: MinedBlock[] = [];
let first: MinedBlock[] = [];
let second: MinedBlock[] = [];
let third: MinedBlock[] = [];

beforeAll(async () => {
  node = await startNode();
  signers = ['ann', 'ben', 'cat'].map((name) => createSigner(name, shortLivedProfile));
  await node.mine(STATE_HASHED - BEFORE_STATE_HASH - 2);
  await fundSigners(node, signers, 1_900);
  quiet = await listQuietBlocks(node);
});
afterAll(() => node.stop());

function makeOperation(
  random: Random,
  signer: Signer,
): { operation: NameOperation; paid: bigint; to: Signer } {
  const name = random.pick(NAMES);
  const periods = random.integer(0, 4);
  const kind = random.pick([
    ...(['commit', 'commit', 'commit', 'register', 'register', 'register', 'register', 'register'] as const),
    ...(['transfer', 'transfer', 'renew', 'reverse', 'reverse', 'records'] as const),
  ]);
  const ownerScript = random.pick([signer, signer, signer, ...signers]).script;
  const commitment = nameCommitment({ ownerScript, salt, name }, shortLivedContext.genesisPrefix);
  const operation: NameOperation =
    kind === 'commit'
      ? { kind, commitment }
      : kind === 'register'
        ? { kind, periods, salt, name }
        : kind === 'transfer'
          ? { kind, toVout: random.integer(0, 3), name: random.pick([name, name, 'Noon.coin']) }
          : kind === 'reverse'
            ? { kind, name: random.pick([name, name, name, '']) }
            : kind === 'records'
              ? { kind, hash: new Uint8Array(32).fill(random.integer(0, 3)), name }
              : { kind, periods, name };
  return {
    operation,
    paid: random.pick([0n, 10_000_000n, 1_00000000n, 2_00000000n, 12_00000000n]),
    to: random.pick(signers),
  };
}

/** A signed transaction of a random operation: carrier, recipient, fee, and at times a second payload. */
function makeTransaction(random: Random): Signed {
  const signer = random.pick(signers);
  const { operation, paid, to } = makeOperation(random, signer);
  const carrier = carrierOutput(encodeNameOperation(operation, rules.marker));
  const outputs = [
    carrier,
    { value: 10_000n, script: to.script },
    { value: paid, script: rules.feeScript },
    ...(random.integer(1, 20) === 1 ? [carrier] : []),
    ...(random.integer(1, 20) === 1 ? [carrierOutput(Uint8Array.of(...rules.marker, 9))] : []),
  ];
  return signTransaction(signer, outputs, { sighash: random.pick(SIGHASHES) });
}

async function mineOperations(random: Random, count: number): Promise<MinedBlock[]> {
  const mined: MinedBlock[] = [];
  for (let i = 0; i < count; i++) {
    const transactions = Array.from({ length: random.integer(0, 10) }, () => makeTransaction(random));
    mined.push(await mineSigned(node, transactions));
  }
  return mined;
}

/** Makes one of the two branches the node's chain. */
const switchTo = (branch: readonly MinedBlock[]) =>
  switchBranch(node, { from: branch === second ? third : second, to: branch });

beforeAll(async () => {
  const random = createRandom(11);
  first = await mineOperations(random, BLOCKS - FORK_DEPTH);
  const goBack = rememberCoins(signers);
  second = await mineOperations(random, FORK_DEPTH);
  await node.rpc('invalidateblock', toDisplayHash(second[0]!.hash));
  goBack();
  third = await mineOperations(random, FORK_DEPTH + 1);
});

forEachEngine('the index of names', (engine) => {
  let indexer: TestIndexer;

  beforeAll(async () => {
    indexer = await openTestIndexer(await engine.openUrl(), { parts });
  });
  afterAll(() => indexer.close());

  test('is what the rules alone say of the same blocks: records, operations with reasons, totals, hashes', async () => {
    await switchTo(second);
    await catchUp(node.client, indexer, { batchTxs: 50 });
    const seen = await expectLedger(indexer, [...quiet, ...first, ...second]);
    // A history is worth something only when it reaches the rules.
    for (const each of [
      'commit',
      'register',
      'transfer',
      'renew',
      'reverse',
      'records',
      'commit_missing',
      'commit_immature',
      'commit_expired',
      'name_taken',
      'name_in_grace',
      'not_owner',
      'fee_too_low',
      'periods_zero',
      'sender_sighash',
      'several_payloads',
      'label_characters',
    ]) {
      expect(seen).toContain(each);
    }
  });

  test('after a reorganisation is what a fresh index is, hashes included, and so back again', async () => {
    for (const branch of [third, second]) {
      await switchTo(branch);
      await catchUp(node.client, indexer, { batchTxs: 7 });
      await expectLedger(indexer, [...quiet, ...first, ...branch]);
      await expectFresh(node, indexer, engine, { parts, undoFrom: branch[0]!.height });
    }
  });
});
