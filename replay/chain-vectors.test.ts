import { describe, expect, test } from 'vitest';
import type { Block } from './block.ts';
import { flip, fromAscii, fromHex, toHex } from './bytes.ts';
import { hashChain, hashEvents, hashState } from './encoding.ts';
import { createJournal } from './journal.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createNames, findCommitment, findPremium, findPrice, readName } from './names.ts';
import { type Coin, readNameRules, readTokenRules } from './profile.ts';
import { createProofs, findDigest } from './proofs.ts';
import type { OperationProtocol } from './protocol.ts';
import { findReason, readVectors } from './testing/vectors.ts';
import { createTokens, findTokenId } from './tokens.ts';
import { type Input, parseTransaction } from './transaction.ts';

const ZEROS = new Uint8Array(32);
const [ofNames, ofTokens, ofSweeps, ofProofs] = ['names', 'tokens', 'tokens-sweep', 'proofs'].map(
  readVectors,
);
const nameRules = readNameRules(ofNames.rules);
const genesisHash = flip(fromHex(ofNames.genesis_hash));
const genesisPrefix = genesisHash.slice(0, 8);
const coin: Coin = {
  ...{ id: 'vectors', genesisHash, auxpow: false, decimals: 8 },
  proofs: { marker: fromHex(ofProofs.marker) },
  names: nameRules,
  tokens: readTokenRules(ofTokens.rules),
  treasury: undefined,
  rulesIds: { proofs: undefined, names: undefined, tokens: undefined },
};

type RefusedPayload = { readonly payload: string; readonly reason: string };

type PlayedBlock = {
  readonly height: number;
  readonly block_hash: string;
  readonly transactions: readonly {
    readonly raw: string;
    readonly prevout_script: string | null;
    readonly outcome: { readonly valid: boolean; readonly event?: string; readonly reason?: string } | null;
  }[];
};

/** Plays blocks of the vectors, the first of which is at the activation height; each is undone and connected again. */
function playChain(protocol: 'names' | 'tokens', chain: readonly PlayedBlock[], of = coin): Ledger {
  const ledger = createLedger(of);
  const nothing = new Map<Input, Uint8Array>();
  for (let height = 0; height < chain[0]!.height; height++)
    connect(ledger, { hash: ZEROS, prevHash: ZEROS, txs: [] }, nothing);
  for (const { block_hash, transactions, ...wanted } of chain) {
    const scripts = new Map<Input, Uint8Array>();
    const txs = transactions.map(({ raw, prevout_script }) => {
      const tx = parseTransaction(fromHex(raw));
      if (prevout_script !== null) scripts.set(tx.inputs[0]!, fromHex(prevout_script));
      return tx;
    });
    const block = { hash: fromHex(block_hash), prevHash: ZEROS, txs };
    connect(ledger, block, scripts);
    ledger.undo();
    connect(ledger, block, scripts);
    const { height, hashes } = ledger.tip()!;
    expect({
      height,
      events_hash: toHex(hashes[protocol]!.events!),
      chain_hash: toHex(hashes[protocol]!.chain),
      state_hash: toHex(hashState(ledger.listRows(protocol))),
    }).toEqual(wanted);
    const events = transactions.flatMap(({ outcome }) => outcome?.event ?? []);
    expect(toHex(hashEvents(events.map((event) => fromHex(event))))).toBe(toHex(hashes[protocol]!.events!));
  }
  return ledger;
}

function connect(ledger: Ledger, block: Block, scripts: ReadonlyMap<Input, Uint8Array>): void {
  for (const input of ledger.listSenders(block)) expect(scripts.has(input)).toBe(true);
  ledger.connect(block, (input) => scripts.get(input)!);
}

/** What the protocol says of a payload whose transaction has no outputs. */
function judgePayload({ marker, apply }: OperationProtocol, payload: string): string | undefined {
  const tx = parseTransaction(fromHex(`02000000${'01'}${'00'.repeat(41)}00${'00'.repeat(4)}`));
  expect(payload.startsWith(toHex(marker))).toBe(true);
  const placed = { tx, index: 1, height: 100, sender: ZEROS, outputs: [] };
  return findReason(() => apply({ ...placed, payload: fromHex(payload) }));
}

function openJournal() {
  const journal = createJournal(1);
  journal.startBlock();
  return journal;
}

describe('names', () => {
  test('every block of the vectors has the hashes that it should', () => {
    const { seen } = playChain('names', ofNames.chain);
    for (const reason of listReasons(ofNames.chain)) expect([...seen.keys()]).toContain(`names ${reason}`);
  });

  test('syntax, prices, premiums and commitments are those of the vectors', () => {
    for (const name of ofNames.names.valid) expect(readName(fromAscii(name), nameRules).name).toBe(name);
    for (const { name, reason } of ofNames.names.invalid)
      expect(findReason(() => readName(fromAscii(name), nameRules))).toBe(reason);
    for (const { label_length, height, per_period } of ofNames.prices)
      expect(findPrice(nameRules, label_length, height)).toBe(BigInt(per_period));
    for (const { expiry, height, premium } of ofNames.premiums)
      expect(findPremium(nameRules, expiry, height)).toBe(BigInt(premium));
    for (const { owner_script, salt, name, commitment } of ofNames.commitments) {
      const made = findCommitment(fromHex(owner_script), fromHex(salt), fromAscii(name), genesisPrefix);
      expect(toHex(made)).toBe(commitment);
    }
  });

  test.each(['names-reverse', 'names-records'])('every block of %s has the hashes that it should', (file) => {
    const { rules, chain } = readVectors(file);
    const { seen } = playChain('names', chain, { ...coin, names: readNameRules(rules) });
    for (const reason of listReasons(chain)) expect([...seen.keys()]).toContain(`names ${reason}`);
  });

  test.each<RefusedPayload>(ofNames.payloads.invalid)(
    'a payload is refused: $reason',
    ({ payload, reason }) => {
      const names = createNames(nameRules, { genesisPrefix, journal: openJournal() });
      expect(judgePayload(names, payload)).toBe(reason);
    },
  );
});

describe('tokens', () => {
  test('every block of the vectors has the hashes that it should', () => {
    const { seen } = playChain('tokens', ofTokens.chain);
    for (const reason of listReasons(ofTokens.chain)) expect([...seen.keys()]).toContain(`tokens ${reason}`);
  });

  test('every block of the vectors of sweeps has the hashes that it should', () => {
    const { seen } = playChain('tokens', ofSweeps.chain, { ...coin, tokens: readTokenRules(ofSweeps.rules) });
    for (const reason of listReasons(ofSweeps.chain)) expect([...seen.keys()]).toContain(`tokens ${reason}`);
  });

  test('ids are those of the vectors', () => {
    for (const { prev_txid, prev_vout, payload, token_id } of ofTokens.token_ids) {
      const input = { prevTxid: fromHex(prev_txid), prevVout: prev_vout, scriptSig: ZEROS, witness: [] };
      expect(toHex(findTokenId(input, fromHex(payload), genesisPrefix))).toBe(token_id);
    }
  });

  test.each<RefusedPayload>(ofSweeps.payloads.invalid)(
    'a payload of a sweep is refused: $reason',
    ({ payload, reason }) => {
      const rules = { ...coin.tokens!, sweepHeight: 0 };
      expect(judgePayload(createTokens(rules, { genesisPrefix, journal: openJournal() }), payload)).toBe(
        reason,
      );
    },
  );

  test.each<RefusedPayload>(ofTokens.payloads.invalid)(
    'a payload is refused: $reason',
    ({ payload, reason }) => {
      const tokens = createTokens(coin.tokens!, { genesisPrefix, journal: openJournal() });
      expect(judgePayload(tokens, payload)).toBe(reason);
    },
  );
});

test('anchors and the hashes of a block of them are those of the vectors', () => {
  const { marker } = coin.proofs;
  for (const { script, digest } of ofProofs.scripts) {
    const found = findDigest(fromHex(script), marker);
    expect(found ? toHex(found) : null).toBe(digest);
  }
  const { height, block_hash, transactions, ...wanted } = ofProofs.block;
  const proofs = createProofs(marker, openJournal());
  const events = transactions.flatMap((raw: string, index: number) =>
    proofs.apply({ tx: parseTransaction(fromHex(raw)), index, height }),
  );
  expect(events.map(toHex)).toEqual(wanted.events);
  expect(toHex(hashEvents(events))).toBe(wanted.events_hash);
  expect(toHex(hashChain(ZEROS, fromHex(block_hash), hashEvents(events)))).toBe(wanted.chain_hash);
  expect(toHex(hashState(proofs.listRows()))).toBe(wanted.state_hash);
});

function listReasons(chain: readonly PlayedBlock[]): string[] {
  return chain.flatMap(({ transactions }) => transactions.flatMap(({ outcome }) => outcome?.reason ?? []));
}
