import { bytesToHex, concatBytes, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { createTokenLedger } from '@coinfront/protocol/testing/token-ledger.ts';
import { encodeTokenOperation, type TokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import { parseTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../scripts/traffic/random.ts';
import { type SqlValue, sql } from '../../service/src/db/statement.ts';
import { nameHashes } from '../../service/src/parts/names/name-tables.ts';
import { proofHashes } from '../../service/src/parts/proofs/proof-anchors.ts';
import { listOperationsFrom } from '../../service/src/parts/tokens/operation-store.ts';
import { tokenHashes } from '../../service/src/parts/tokens/token-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { makeMatureCoins, type RawCoin, scriptOf, spend } from '../harness/raw-coins.ts';
import { listQuietBlocks, type MinedBlock, mineSigned } from '../harness/signed-blocks.ts';
import {
  createSigner,
  fundSigners,
  type Signed,
  type Signer,
  signTransaction,
} from '../harness/signing-wallet.ts';
import { catchUp, openTestIndexer } from '../harness/test-indexer.ts';
import { CREATE_FEE, connectToLedger, listTokenIds, profile, TERMS, tokenContext } from './token-traffic.ts';

const BLOCKS = 20;
const UNSIGNED = 460;
const SIGNERS = 40;
const MAX_PAYLOAD = 80;

const { rules } = tokenContext;
const MARKERS = [rules.marker, profile.names!.marker, profile.proofs.marker, rules.marker];

let node: TestNode;
let blocks: MinedBlock[] = [];
const ledger = createTokenLedger(tokenContext);
const reasons = new Map<string, number>();
/** Of each block with payloads: state(h) of the rules alone. */
let valid = 0;

/** A payload as somebody might write it who means well, or does not. */
function makePayload(random: Random, ids: readonly Uint8Array[], own?: Uint8Array): Uint8Array {
  const other = random.integer(1, 5) === 1 ? random.bytes(32) : random.pick(ids);
  const tokenId = own !== undefined && random.integer(1, 4) > 1 ? own : other;
  const amount = random.pick([0n, 1n, 1n, 2n, 100n, 2n ** 62n, 2n ** 63n - 1n]);
  const shares = Array.from({ length: random.integer(1, 4) }, () => ({
    toVout: random.integer(0, 3),
    amount: random.pick([0n, 1n, 5n, 2n ** 63n - 1n]),
  }));
  const operation = random.pick<TokenOperation>([
    { kind: 'create', terms: { ...TERMS, premine: amount, metadataHash: random.bytes(32) } },
    { kind: 'mint', tokenId, closes: random.integer(1, 30) === 1, toVout: random.integer(0, 3), amount },
    { kind: 'transfer', tokenId, shares },
    { kind: 'burn', tokenId, amount },
  ]);
  const payload = encodeTokenOperation(operation, own === undefined ? random.pick(MARKERS) : rules.marker);
  const how = random.integer(0, 7);
  const at = random.integer(4, payload.length - 1);
  if (how === 0) return concatBytes(random.pick(MARKERS), random.bytes(random.integer(0, 76)));
  if (how === 1) return payload.slice(0, at);
  if (how === 2) payload[at] = random.integer(0, 255);
  if (how === 3)
    return concatBytes(payload.slice(0, at), random.bytes(1), payload.slice(at)).slice(0, MAX_PAYLOAD);
  // Most operations end with an integer: one byte longer than it need be.
  if (how === 4) return concatBytes(payload.slice(0, -1), Uint8Array.of(payload.at(-1)! | 0x80, 0));
  return payload;
}

/** A script that carries it, or only looks as if. Signing libraries refuse those whose pushes have no end. */
function makeScript(random: Random, payload: Uint8Array, isSigned: boolean): Uint8Array {
  const how = random.integer(isSigned ? 1 : 0, isSigned ? 3 : 20);
  if (isSigned && random.integer(1, 8) > 1) return buildCarrier(payload);
  if (how === 0) return concatBytes(Uint8Array.of(0x6a), payload);
  const carrier = buildCarrier(payload);
  if (how === 1) return concatBytes(carrier, Uint8Array.of(0x51));
  if (how === 2) return Uint8Array.of(0x6a, 0x4c, payload.length, ...payload);
  if (how === 3) return Uint8Array.of(0x6a, 0x4d, payload.length, 0, ...payload);
  if (how === 4) return Uint8Array.of(0x6a, payload.length + 9, ...payload);
  return carrier;
}

function signRandom(
  random: Random,
  signer: Signer,
  signers: readonly Signer[],
  ids: readonly Uint8Array[],
  own: Uint8Array,
): Signed {
  const outputs = [
    { value: 0n, script: makeScript(random, makePayload(random, ids, own), true) },
    { value: 10_000n, script: random.pick(signers).script },
    { value: random.pick([CREATE_FEE, 10_000n, 10_000n]), script: rules.feeScript },
  ];
  if (random.integer(1, 10) === 1)
    outputs.push({ value: 0n, script: makeScript(random, makePayload(random, ids, own), true) });
  return signTransaction(signer, outputs);
}

/** Anybody can spend the coin, and it is no sender's: cheap, and every operation of it is invalid. */
function spendRaw(
  random: Random,
  coin: RawCoin,
  ids: readonly Uint8Array[],
): { signed: Signed; next: RawCoin } {
  const script = makeScript(random, makePayload(random, ids), false);
  const made = spend(
    [coin],
    [
      { value: 0n, script },
      { value: coin.value - 1_000n, owner: coin.owner },
    ],
  );
  const tx = getValue(parseTransaction(getHexBytes(made.hex)));
  return {
    signed: { hex: made.hex, tx, txid: txidOf(tx), prevoutScript: scriptOf(coin.owner) },
    next: made.coins[1]!,
  };
}

beforeAll(async () => {
  node = await startNode();
  await node.mine(150);
  const signers = Array.from({ length: SIGNERS }, (_, i) => createSigner(`payload ${i}`, profile));
  await fundSigners(node, signers, 30);
  const coins = await makeMatureCoins(node, { count: UNSIGNED, value: 1_000_000n, owner: 5 });
  blocks = await listQuietBlocks(node);
  for (const block of blocks) connectToLedger(ledger, block);
  const random = createRandom(31);
  const created = signers.map((signer) => {
    const payload = encodeTokenOperation({ kind: 'create', terms: TERMS }, rules.marker);
    return signTransaction(signer, [
      { value: 0n, script: buildCarrier(payload) },
      { value: CREATE_FEE, script: rules.feeScript },
    ]);
  });
  const first = await mineSigned(node, created);
  blocks.push(first);
  const ids = connectToLedger(ledger, first).flatMap((entry) =>
    'event' in entry ? listTokenIds(entry.event) : [],
  );
  for (let i = 0; i < BLOCKS; i++) {
    const transactions = signers.map((signer, at) => signRandom(random, signer, signers, ids, ids[at]!));
    for (const [at, coin] of coins.entries()) {
      const { signed, next } = spendRaw(random, coin, ids);
      transactions.push(signed);
      coins[at] = next;
    }
    const block = await mineSigned(node, transactions);
    blocks.push(block);
    const before = bytesToHex(ledger.stateHash());
    const entries = connectToLedger(ledger, block);
    for (const entry of entries) {
      if ('event' in entry) valid++;
      else reasons.set(entry.reason, (reasons.get(entry.reason) ?? 0) + 1);
    }
    // What is invalid changed nothing: without a valid one the state is the same.
    if (entries.every((entry) => 'reason' in entry)) expect(bytesToHex(ledger.stateHash())).toBe(before);
  }
});
afterAll(() => node.stop());

const LIST_BALANCES = sql<Record<string, SqlValue>>(
  'select amount from token_balance order by script_id, token_number',
  { bigints: true },
);
const hashesOf = new Map<string, string>();

forEachEngine('10,000 random and mutated payloads', (engine) => {
  test('stop nothing, change nothing unless they are valid, and give equal hashes', async () => {
    const mined = blocks.slice(-BLOCKS).reduce((sum, { transactions }) => sum + transactions.length, 0);
    expect(mined).toBe(10_000);
    expect(valid).toBeGreaterThan(50);
    for (const each of ['sender_unsupported', 'payload_truncated', 'unknown_opcode', 'integer_not_minimal'])
      expect(reasons.get(each), each).toBeGreaterThan(10);

    const indexer = await openTestIndexer(await engine.openUrl());
    try {
      await catchUp(node.client, indexer, { batchTxs: 1_500 });
      expect(toDisplayHash(indexer.index.state.hash)).toBe(toDisplayHash(blocks.at(-1)!.hash));
      await indexer.readChain(async ({ reader }) => {
        const operations = await listOperationsFrom(reader, {
          withInvalid: true,
          from: { txId: 0 },
          beforeTxId: Number.MAX_SAFE_INTEGER,
          limit: 100_000,
        });
        const invalid = [...reasons.values()].reduce((sum, count) => sum + count, 0);
        expect(operations.filter(({ reason }) => reason !== null).length).toBe(invalid);
        expect(operations.filter(({ reason }) => reason === null).length).toBe(valid + SIGNERS);
        expect((await reader.all(LIST_BALANCES)).length).toBe(ledger.listBalances().length);
        const tokens = await tokenHashes.findLatest(reader);
        expect(bytesToHex(tokens!.chain)).toBe(bytesToHex(ledger.chainHash()));
        for (const [name, log] of Object.entries({ nameHashes, proofHashes, tokenHashes })) {
          const { chain } = (await log.findLatest(reader))!;
          expect(hashesOf.get(name) ?? bytesToHex(chain)).toBe(bytesToHex(chain));
          hashesOf.set(name, bytesToHex(chain));
        }
      });
    } finally {
      await indexer.close();
    }
  });
});
