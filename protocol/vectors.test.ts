import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bytesToHex, getHexBytes } from './bytes.ts';
import { readCarrier } from './carrier.ts';
import { hashEvents, hashState, nextChainHash } from './hash-chain.ts';
import { encodeLeb128, readLeb128 } from './leb128.ts';
import { nameCommitment } from './names/name-commitment.ts';
import { decodeNameOperation, LATER_KINDS } from './names/name-operation.ts';
import { premiumAt, pricePerPeriod } from './names/name-price.ts';
import { NAME_REASONS } from './names/name-reasons.ts';
import {
  hashRecordsDocument,
  type NameRecords,
  readRecordsDocument,
  writeRecordsDocument,
} from './names/name-records.ts';
import { parseName } from './names/name-syntax.ts';
import type { PlacedTransaction } from './operation.ts';
import { findAnchoredDigest, type ProofState, proofState } from './proofs/anchor.ts';
import { verifyLeaf } from './proofs/verify-leaf.ts';
import { PROOF_FAULTS, verifyProof } from './proofs/verify-proof.ts';
import { verifyEd25519 } from './registry/node-key.ts';
import {
  type EpochSummary,
  hashRegistryText,
  type Receipt,
  verifyRegistrySignature,
  writeRegistryText,
} from './registry/receipt.ts';
import { getValue } from './result.ts';
import { findSender, SENDER_FAULTS } from './sender.ts';
import { digestOfHead, openCheckpoint } from './signed-log/checkpoint.ts';
import { findCosignature } from './signed-log/cosignature.ts';
import { readEntryBundle } from './signed-log/entry-bundle.ts';
import { hashLeaf, rootOfLeaves, verifyInclusion } from './signed-log/merkle-tree.ts';
import { parseNote, parseSignatureLines, parseVerifierKey } from './signed-log/note.ts';
import { parseTilePath, type Tile } from './signed-log/tiles.ts';
import { verifyConsistency } from './signed-log/verify-consistency.ts';
import { parseWitnessRequest, writeWitnessRequest } from './signed-log/witness-request.ts';
import { createNameLedger, type NameLedger } from './testing/name-ledger.ts';
import { nameContext, tokenContext } from './testing/protocol-rules.ts';
import { createTokenLedger } from './testing/token-ledger.ts';
import { toJson } from './testing/vectors/hex.ts';
import { makeProtocolVectors } from './testing/vectors/make-vectors.ts';
import { recordsContext } from './testing/vectors/name-records-vectors.ts';
import { reverseContext } from './testing/vectors/name-reverse-vectors.ts';
import { sweepContext } from './testing/vectors/sweep-vectors.ts';
import { tokenIdOf } from './tokens/token-id.ts';
import { decodeTokenOperation } from './tokens/token-operation.ts';
import { TOKEN_REASONS } from './tokens/token-reasons.ts';
import { parseTransaction, txidOf } from './transaction.ts';
import { contributionScript, findContributionTag } from './treasury/contribution-tag.ts';
import { countSuffixes } from './treasury/exact-amount.ts';
import { type GiftClaim, hashClaimSecret, writeGiftClaimText } from './treasury/gift-claim.ts';
import {
  type AttributionOpening,
  type EntryFields,
  type EntrySeal,
  hashAttribution,
  hashEntryText,
  verifyEntrySignature,
  writeEntryText,
} from './treasury/ledger-entry.ts';
import { endedEpoch, parseLoggedHead } from './treasury/ledger-head.ts';
import { parseNickname } from './treasury/nickname.ts';
import { skeletonsOf } from './treasury/nickname-skeletons.ts';

const FOLDER = new URL('../docs/protocols/vectors/', import.meta.url);
const NAMES = [
  'carrier',
  'hash-chain',
  'names',
  'names-records',
  'names-reverse',
  'proofs',
  'registry',
  'sender',
  'signed-log',
  'token-swap',
  'tokens',
  'tokens-sweep',
  'treasury',
];

function read<Vectors>(name: string): Vectors {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Vectors;
}

type Outcome = { valid: true; kind: string; event: string } | { valid: false; reason: string };
type ChainBlock = {
  height: number;
  block_hash: string;
  transactions: { about: string; raw: string; prevout_script: string | null; outcome: Outcome | null }[];
  events_hash: string;
  chain_hash: string;
  state_hash: string;
};
type Entry = { position: number } & ({ event: { kind: string }; bytes: Uint8Array } | { reason: string });
type Payloads = {
  valid: { payload: string; operation: unknown }[];
  invalid: { payload: string; reason: string }[];
};

function place(block: ChainBlock): PlacedTransaction[] {
  return block.transactions.map(({ raw, prevout_script: script }, position) => {
    const tx = getValue(parseTransaction(getHexBytes(raw)));
    const prevoutScript = script === null ? undefined : getHexBytes(script);
    return { tx, txid: txidOf(tx), height: block.height, position, prevoutScript };
  });
}

/** What the rules make of a block, in the words of the file. */
function describeBlock(
  block: ChainBlock,
  entries: Entry[],
  chain: Uint8Array,
  state: Uint8Array,
): ChainBlock {
  const events = entries.flatMap((entry) => ('bytes' in entry ? [entry.bytes] : []));
  return {
    ...block,
    transactions: block.transactions.map((tx, position) => {
      const entry = entries.find((each) => each.position === position);
      const outcome: Outcome | null =
        entry === undefined
          ? null
          : 'bytes' in entry
            ? { valid: true, kind: entry.event.kind, event: bytesToHex(entry.bytes) }
            : { valid: false, reason: entry.reason };
      return { ...tx, outcome };
    }),
    events_hash: bytesToHex(hashEvents(events)),
    chain_hash: bytesToHex(chain),
    state_hash: bytesToHex(state),
  };
}

function reasonsOf(chain: ChainBlock[]): string[] {
  const reasons = chain.flatMap(({ transactions }) =>
    transactions.flatMap(({ outcome }) => (outcome?.valid === false ? [outcome.reason] : [])),
  );
  return [...new Set(reasons)].sort();
}

describe('the files', () => {
  test.each(NAMES)('%s.json is what `npm run vectors` writes', (name) => {
    expect(read(name)).toEqual(JSON.parse(JSON.stringify(makeProtocolVectors()[name])));
  });

  test('there are no others of ours', () => {
    expect(Object.keys(makeProtocolVectors()).sort()).toEqual(NAMES);
    expect(readdirSync(FOLDER)).toEqual(expect.arrayContaining(NAMES.map((name) => `${name}.json`)));
  });
});

test('receipts of a registry', () => {
  type Signed = { receipt: Receipt; hash: string; signature: string; leaf: string; path: string[] };
  const { claim, receipts, epoch } = read<{
    claim: { node_key: string; text: string; node_signature: string };
    receipts: Signed[];
    epoch: { summary: EpochSummary; hash: string; signature: string };
  }>('registry');
  expect(verifyEd25519(claim.node_key, claim.text, claim.node_signature)).toBe(true);
  expect(verifyRegistrySignature(epoch.summary, epoch.signature)).toBe(true);
  for (const [index, { receipt, hash, signature, leaf, path }] of receipts.entries()) {
    expect(hashRegistryText(writeRegistryText(receipt))).toBe(hash);
    expect(verifyRegistrySignature(receipt, signature)).toBe(true);
    expect(receipt.previous_hash).toBe(receipts[index - 1]?.hash ?? '0'.repeat(64));
    const proof = { index, size: receipts.length, path: path.map(getHexBytes) };
    const root = getHexBytes(epoch.summary.merkle_root);
    expect(verifyInclusion({ ...proof, leafHash: getHexBytes(leaf), root })).toBe(true);
  }
});

test('signed logs', () => {
  const vectors = read<{
    entries: string[];
    leaves: string[];
    roots: string[];
    inclusion: { index: number; size: number; path: string[] }[];
    consistency: { from: number; to: number; path: string[] }[];
    verifier_key: string;
    checkpoints: { size: number; note: string; anchored_digest: string }[];
    witness: { verifier_key: string; time: number; signature_line: string; request: string };
    tiles: (Tile & { path: string })[];
    bundle: string;
  }>('signed-log');
  const leaves = vectors.leaves.map(getHexBytes);
  const roots = vectors.roots.map(getHexBytes);
  expect(vectors.entries.map((entry) => bytesToHex(hashLeaf(getHexBytes(entry))))).toEqual(vectors.leaves);
  expect(getValue(readEntryBundle(getHexBytes(vectors.bundle))).map(bytesToHex)).toEqual(vectors.entries);
  for (const { index, size, path } of vectors.inclusion) {
    const proof = { leafHash: leaves[index]!, index, size, path: path.map(getHexBytes), root: roots[size]! };
    expect(verifyInclusion(proof)).toBe(true);
  }
  for (const { from, to, path } of vectors.consistency) {
    const heads = { oldSize: from, oldRoot: roots[from]!, newSize: to, newRoot: roots[to]! };
    expect(verifyConsistency({ ...heads, path: path.map(getHexBytes) })).toBe(true);
  }
  const key = getValue(parseVerifierKey(vectors.verifier_key));
  for (const { size, note, anchored_digest } of vectors.checkpoints) {
    const opened = openCheckpoint(note, { origin: key.name, publicKey: key.publicKey });
    expect(opened).toMatchObject({ ok: true, checkpoint: { size, root: roots[size] } });
    if (opened.ok) expect(digestOfHead(opened.checkpoint)).toBe(anchored_digest);
  }
  const { witness } = vectors;
  const { text } = getValue(parseNote(vectors.checkpoints.at(-1)!.note));
  const cosigner = getValue(parseVerifierKey(witness.verifier_key));
  const lines = getValue(parseSignatureLines(witness.signature_line));
  expect(findCosignature(text, lines, cosigner)).toBe(witness.time);
  const request = getValue(parseWitnessRequest(witness.request));
  expect(request.note).toBe(vectors.checkpoints.at(-1)!.note);
  expect(writeWitnessRequest(request)).toBe(witness.request);
  for (const { path, ...tile } of vectors.tiles) expect(parseTilePath(path)).toEqual(tile);
});

test('carriers and integers', () => {
  const vectors = read<{
    scripts: { script: string; payload: string | null }[];
    integers: { valid: { value: string; bytes: string }[]; invalid: { bytes: string; fault: string }[] };
  }>('carrier');
  for (const { script, payload } of vectors.scripts) {
    const found = readCarrier(getHexBytes(script));
    expect(found === undefined ? null : bytesToHex(found)).toBe(payload);
  }
  for (const { value, bytes } of vectors.integers.valid) {
    expect(bytesToHex(encodeLeb128(BigInt(value)))).toBe(bytes);
    expect(readLeb128(getHexBytes(bytes), 0)).toMatchObject({ ok: true, value: BigInt(value) });
  }
  for (const { bytes, fault } of vectors.integers.invalid) {
    expect(readLeb128(getHexBytes(bytes), 0)).toEqual({ ok: false, fault });
  }
  expect(new Set(vectors.integers.invalid.map(({ fault }) => fault)).size).toBe(3);
});

test('tags of contributions, exact amounts, nicknames', () => {
  const vectors = read<{
    marker: string;
    scripts: { tag: string; payload: string; script: string }[];
    transactions: {
      about: string;
      outputs: { value: string; script: string }[];
      result: string;
      tag: string | null;
    }[];
    suffixes: { decimals: number; suffixes: number }[];
    nicknames: { text: string; nickname: string | null; skeletons: string[] }[];
  }>('treasury');
  const marker = getHexBytes(vectors.marker);
  for (const { tag, payload, script } of vectors.scripts) {
    expect(bytesToHex(contributionScript(getHexBytes(tag), marker))).toBe(script);
    expect(bytesToHex(readCarrier(getHexBytes(script))!)).toBe(payload);
  }
  for (const { about, outputs, result, tag } of vectors.transactions) {
    const made = outputs.map(({ value, script }) => ({ value: BigInt(value), script: getHexBytes(script) }));
    const found = findContributionTag(made, marker);
    expect([about, found.kind, found.kind === 'one' ? found.tag : null]).toEqual([about, result, tag]);
  }
  expect(new Set(vectors.transactions.map(({ result }) => result)).size).toBe(4);
  for (const { decimals, suffixes } of vectors.suffixes) expect(countSuffixes(decimals)).toBe(suffixes);
  for (const { text, nickname, skeletons } of vectors.nicknames) {
    const parsed = parseNickname(text);
    expect([text, parsed.ok ? parsed.value.nickname : null, skeletonsOf(text)]).toEqual([
      text,
      nickname,
      skeletons,
    ]);
  }
});

test('entries of a ledger: texts, hashes that follow one another, signatures, whose they are', () => {
  const { network, entries } = read<{
    ledger: {
      network: string;
      entries: { entry: EntryFields; opening: AttributionOpening | null; text: string; seal: EntrySeal }[];
    };
  }>('treasury').ledger;
  let before = '0'.repeat(64);
  for (const { entry, opening, text, seal } of entries) {
    expect(writeEntryText(entry, seal, network)).toBe(text);
    expect([seal.previous_hash, hashEntryText(text)]).toEqual([before, seal.hash]);
    expect(opening && hashAttribution(opening)).toBe(seal.attribution);
    expect(verifyEntrySignature(seal)).toBe(true);
    expect(verifyEntrySignature({ ...seal, hash: before })).toBe(false);
    before = seal.hash;
  }
  expect(entries).toHaveLength(4);
});

test('the log of a ledger has its heads, and no other text of them is one', () => {
  const { ledger, log } = read<{
    ledger: { entries: { entry: EntryFields; seal: EntrySeal }[] };
    log: { origin: string; entries: string[]; checkpoints: { note: string; digest: string }[] };
  }>('treasury');
  const publicKey = log.origin.split('/')[1]!;
  const leaves = log.entries.map((text) => hashLeaf(new TextEncoder().encode(text)));
  for (const [i, text] of log.entries.entries()) {
    const head = getValue(parseLoggedHead(text));
    const sealed = ledger.entries.find(({ entry }) => entry.sequence === head.sequence)!;
    expect([head.hash, head.service_key]).toEqual([sealed.seal.hash, publicKey]);
    const { note, digest } = log.checkpoints[i]!;
    const opened = openCheckpoint(note, { origin: log.origin, publicKey });
    expect(opened.ok && digestOfHead(opened.checkpoint)).toBe(digest);
    expect(opened.ok && bytesToHex(opened.checkpoint.root)).toBe(
      bytesToHex(rootOfLeaves(leaves.slice(0, i + 1))),
    );
    const other = JSON.stringify({ ...head, note: 'more' });
    for (const bad of [
      ` ${text}`,
      other,
      text.replace('-head', '-tail'),
      text.replace(':1', ':-1'),
      '{',
      'null',
    ])
      expect([bad, parseLoggedHead(bad).ok]).toEqual([bad, false]);
  }
  expect(log.entries).toHaveLength(2);
  expect([9, 10, 19, 20].map((height) => endedEpoch(height, 10))).toEqual([undefined, 0, 0, 1]);
});

test('claims of gifts have one text, and are of one service and one secret', () => {
  type Claim = Pick<GiftClaim, 'network' | 'txid' | 'vout'> &
    Record<'service_key' | 'contributor_id' | 'contributor_secret' | 'secret_hash' | 'text', string>;
  const { claims } = read<{ claims: Claim[] }>('treasury');
  for (const { text, service_key, contributor_id, contributor_secret, secret_hash, ...output } of claims) {
    expect(hashClaimSecret(contributor_secret)).toBe(secret_hash);
    const claim = {
      ...output,
      serviceKey: service_key,
      contributorId: contributor_id,
      secretHash: secret_hash,
    };
    expect(writeGiftClaimText(claim)).toBe(text);
    for (const other of [
      { serviceKey: '00'.repeat(32) },
      { secretHash: hashClaimSecret('00'.repeat(32)) },
      { contributorId: 'VC-000000000000' },
    ])
      expect(writeGiftClaimText({ ...claim, ...other })).not.toBe(text);
  }
  expect(claims).toHaveLength(1);
});

test('senders, with every reason why there is none', () => {
  const { transactions } = read<{
    transactions: { about: string; raw: string; prevout_script: string; reason: string | null }[];
  }>('sender');
  for (const { about, raw, prevout_script: prevoutScript, reason } of transactions) {
    const script = getHexBytes(prevoutScript);
    const sender = findSender(getValue(parseTransaction(getHexBytes(raw))), script);
    expect([about, sender]).toEqual([about, reason === null ? { ok: true, script } : { ok: false, reason }]);
  }
  const reasons = new Set(transactions.map(({ reason }) => reason));
  expect([...reasons].filter((reason) => reason !== null).sort()).toEqual(Object.keys(SENDER_FAULTS).sort());
});

describe('names', () => {
  const vectors = read<{
    genesis_hash: string;
    rules: unknown;
    names: { valid: string[]; invalid: { name: string; reason: string }[] };
    prices: { label_length: number; height: number; per_period: string }[];
    premiums: { expiry: number; height: number; premium: string }[];
    commitments: { owner_script: string; salt: string; name: string; commitment: string }[];
    payloads: Payloads;
    chain: ChainBlock[];
  }>('names');
  const { rules, genesisPrefix } = nameContext;

  test('syntax, prices, premiums, commitments, payloads', () => {
    expect(vectors.rules).toEqual(toJson(rules));
    for (const name of vectors.names.valid) expect(parseName(name, rules).ok).toBe(true);
    for (const { name, reason } of vectors.names.invalid) {
      expect(parseName(name, rules)).toEqual({ ok: false, reason });
    }
    for (const { label_length, height, per_period } of vectors.prices) {
      expect(String(pricePerPeriod(label_length, height, rules))).toBe(per_period);
    }
    for (const { expiry, height, premium } of vectors.premiums) {
      expect(String(premiumAt(expiry, height, rules))).toBe(premium);
    }
    for (const { owner_script, salt, name, commitment } of vectors.commitments) {
      const parts = { ownerScript: getHexBytes(owner_script), salt: getHexBytes(salt), name };
      expect(bytesToHex(nameCommitment(parts, genesisPrefix))).toBe(commitment);
    }
    for (const { payload, operation } of vectors.payloads.valid) {
      const decoded = decodeNameOperation(getHexBytes(payload));
      expect(decoded.ok && toJson(decoded.operation)).toEqual(operation);
    }
    for (const { payload, reason } of vectors.payloads.invalid) {
      expect(decodeNameOperation(getHexBytes(payload))).toEqual({ ok: false, reason });
    }
  });

  test('the chain gives the same outcomes and hashes, and every reason there is', () => {
    const ledger = createNameLedger(nameContext);
    for (const block of vectors.chain) {
      const entries = ledger.connectBlock(block.height, getHexBytes(block.block_hash), place(block));
      expect(describeBlock(block, entries, ledger.chainHash(), ledger.stateHash())).toEqual(block);
    }
    expect(reasonsOf(vectors.chain)).toEqual(Object.keys(NAME_REASONS).sort());
  });

  test('undoing all of it gives every hash of before again', () => {
    expectUndone(createNameLedger(nameContext), vectors.chain);
  });
});

/** Plays a chain and undoes it block by block. */
function expectUndone(ledger: NameLedger, chain: readonly ChainBlock[]): void {
  for (const block of chain) ledger.connectBlock(block.height, getHexBytes(block.block_hash), place(block));
  for (const block of chain.toReversed()) {
    expect(bytesToHex(ledger.chainHash())).toBe(block.chain_hash);
    expect(bytesToHex(ledger.stateHash())).toBe(block.state_hash);
    ledger.disconnectBlock();
  }
  expect([ledger.listNames(), ledger.listReverse(), ledger.listRecords()]).toEqual([[], [], []]);
}

describe.each([
  ['names-reverse', 'reverse', reverseContext],
  ['names-records', 'records', recordsContext],
] as const)('%s', (file, kind, context) => {
  const { rules, payloads, chain } = read<{ rules: unknown; payloads: Payloads; chain: ChainBlock[] }>(file);

  test('payloads are those of the rules, and are none for a coin without them', () => {
    expect(rules).toEqual(toJson(context.rules));
    for (const { payload, operation } of payloads.valid) {
      const decoded = decodeNameOperation(getHexBytes(payload), LATER_KINDS);
      expect(decoded.ok && toJson(decoded.operation)).toEqual(operation);
      expect(decodeNameOperation(getHexBytes(payload))).toEqual({ ok: false, reason: 'unknown_opcode' });
    }
    for (const { payload, reason } of payloads.invalid)
      expect(decodeNameOperation(getHexBytes(payload), LATER_KINDS)).toEqual({ ok: false, reason });
  });

  test('the chain gives the same outcomes and hashes', () => {
    const ledger = createNameLedger(context);
    for (const block of chain) {
      const entries = ledger.connectBlock(block.height, getHexBytes(block.block_hash), place(block));
      expect(describeBlock(block, entries, ledger.chainHash(), ledger.stateHash())).toEqual(block);
    }
  });

  test('undoing all of it gives every hash of before again', () => {
    expectUndone(createNameLedger(context), chain);
  });

  test('without the height all of them are unknown opcodes, and the rest is as it was', () => {
    const ledger = createNameLedger(nameContext);
    for (const block of chain) {
      const entries = ledger.connectBlock(block.height, getHexBytes(block.block_hash), place(block));
      for (const [position, { outcome }] of block.transactions.entries()) {
        const wanted = outcome?.valid && outcome.kind === kind ? { reason: 'unknown_opcode' } : {};
        expect(entries[position]).toMatchObject(wanted);
      }
    }
    expect([ledger.listReverse(), ledger.listRecords()]).toEqual([[], []]);
  });
});

test('documents of text records have one text and one hash, and nothing else is one', () => {
  type Document = { name: string; records: NameRecords; document: string; hash: string };
  const { documents } = read<{ documents: { valid: Document[]; invalid: Omit<Document, 'records'>[] } }>(
    'names-records',
  );
  for (const { name, records, document, hash } of documents.valid) {
    expect(writeRecordsDocument(name, records)).toBe(document);
    expect(bytesToHex(hashRecordsDocument(document))).toBe(hash);
    expect(readRecordsDocument(document, name)).toEqual(records);
    expect(readRecordsDocument(document, `x${name}`)).toBeUndefined();
  }
  for (const { name, document } of documents.invalid)
    expect([document, readRecordsDocument(document, name)]).toEqual([document, undefined]);
});

const sweeps = read<{ rules: unknown; payloads: Payloads; chain: ChainBlock[] }>('tokens-sweep');

describe('tokens', () => {
  const vectors = read<{
    rules: unknown;
    token_ids: { prev_txid: string; prev_vout: number; payload: string; token_id: string }[];
    payloads: Payloads;
    chain: ChainBlock[];
  }>('tokens');

  test('ids and payloads', () => {
    expect(vectors.rules).toEqual(toJson(tokenContext.rules));
    for (const { prev_txid, prev_vout, payload, token_id } of vectors.token_ids) {
      const input = { prevTxid: getHexBytes(prev_txid), prevVout: prev_vout };
      const id = tokenIdOf(input, getHexBytes(payload), tokenContext.genesisPrefix);
      expect(bytesToHex(id)).toBe(token_id);
    }
    for (const { payload, operation } of vectors.payloads.valid) {
      const decoded = decodeTokenOperation(getHexBytes(payload));
      expect(decoded.ok && toJson(decoded.operation)).toEqual(operation);
    }
    for (const { payload, reason } of vectors.payloads.invalid) {
      expect(decodeTokenOperation(getHexBytes(payload))).toEqual({ ok: false, reason });
    }
  });

  test('the chain gives the same outcomes and hashes, and every reason there is', () => {
    const ledger = createTokenLedger(tokenContext);
    for (const block of vectors.chain) {
      const entries = ledger.connectBlock(getHexBytes(block.block_hash), place(block));
      expect(describeBlock(block, entries, ledger.chainHash(), ledger.stateHash())).toEqual(block);
    }
    expect(reasonsOf([...vectors.chain, ...sweeps.chain])).toEqual(Object.keys(TOKEN_REASONS).sort());
  });
});

describe('sweeps of tokens', () => {
  test('payloads are those of the rules', () => {
    expect(sweeps.rules).toEqual(toJson(sweepContext.rules));
    for (const { payload, operation } of sweeps.payloads.valid) {
      const decoded = decodeTokenOperation(getHexBytes(payload));
      expect(decoded.ok && toJson(decoded.operation)).toEqual(operation);
    }
    for (const { payload, reason } of sweeps.payloads.invalid)
      expect(decodeTokenOperation(getHexBytes(payload))).toEqual({ ok: false, reason });
  });

  test('the chain gives the same outcomes and hashes, and undoing it those of before', () => {
    const ledger = createTokenLedger(sweepContext);
    for (const block of sweeps.chain) {
      const entries = ledger.connectBlock(getHexBytes(block.block_hash), place(block));
      expect(describeBlock(block, entries, ledger.chainHash(), ledger.stateHash())).toEqual(block);
    }
    for (const block of sweeps.chain.toReversed()) {
      expect(bytesToHex(ledger.chainHash())).toBe(block.chain_hash);
      expect(bytesToHex(ledger.stateHash())).toBe(block.state_hash);
      ledger.disconnectBlock();
    }
    expect(ledger.listBalances()).toEqual([]);
  });

  test('without the height all of them are unknown opcodes, and no hash is another one', () => {
    const ledger = createTokenLedger(tokenContext);
    const swept: string[] = [];
    for (const block of sweeps.chain) {
      const entries = ledger.connectBlock(getHexBytes(block.block_hash), place(block));
      for (const [position, { outcome }] of block.transactions.entries()) {
        if (!outcome?.valid || outcome.kind !== 'sweep') continue;
        swept.push(block.block_hash);
        expect(entries[position]).toMatchObject({ reason: 'unknown_opcode' });
      }
      // The same blocks up to the first sweep have the same hashes.
      if (swept.length === 0) expect(bytesToHex(ledger.chainHash())).toBe(block.chain_hash);
    }
    expect(swept.length).toBeGreaterThan(3);
  });
});

test('proofs, with every reason why one proves nothing', () => {
  const vectors = read<{
    marker: string;
    scripts: { script: string; digest: string | null }[];
    states: { height: number | null; tip_height: number; final_confirmations: number; state: ProofState }[];
    proofs: {
      about: string;
      digest: string;
      raw_tx: string;
      vout: number;
      position: number;
      branch: string[];
      header: string;
      reason: string | null;
      block_hash: string | null;
    }[];
    tree: {
      anchor: { raw_tx: string; vout: number; position: number; branch: string[]; header: string };
      block_hash: string;
      leaves: {
        digest: string;
        index: number;
        size: number;
        path: string[];
        root: string;
        reason: string | null;
      }[];
    };
  }>('proofs');
  const marker = getHexBytes(vectors.marker);
  for (const { script, digest } of vectors.scripts) {
    const found = findAnchoredDigest(getHexBytes(script), marker);
    expect(found === undefined ? null : bytesToHex(found)).toBe(digest);
  }
  for (const { height, tip_height, final_confirmations, state } of vectors.states) {
    const rules = { finalConfirmations: final_confirmations };
    expect(proofState(height ?? undefined, tip_height, rules)).toBe(state);
  }
  for (const { digest, raw_tx, vout, position, branch, header, reason, block_hash } of vectors.proofs) {
    const proof = {
      rawTx: getHexBytes(raw_tx),
      vout,
      position,
      branch: branch.map(getHexBytes),
      header: getHexBytes(header),
    };
    const verdict = verifyProof(getHexBytes(digest), proof, marker);
    expect(verdict.ok ? null : verdict.reason).toBe(reason);
    if (verdict.ok) expect(bytesToHex(verdict.value.blockHash)).toBe(block_hash);
  }
  const reasons = vectors.proofs.map(({ reason }) => reason).filter((reason) => reason !== null);
  expect([...new Set(reasons)].sort()).toEqual(Object.keys(PROOF_FAULTS).sort());
  const { anchor, block_hash, leaves } = vectors.tree;
  const root = {
    rawTx: getHexBytes(anchor.raw_tx),
    vout: anchor.vout,
    position: anchor.position,
    branch: anchor.branch.map(getHexBytes),
    header: getHexBytes(anchor.header),
  };
  for (const leaf of leaves) {
    const place = {
      index: leaf.index,
      size: leaf.size,
      path: leaf.path.map(getHexBytes),
      root: getHexBytes(leaf.root),
    };
    const verdict = verifyLeaf(getHexBytes(leaf.digest), place, root, marker);
    expect(verdict.ok ? null : verdict.reason).toBe(leaf.reason);
    if (verdict.ok) expect(bytesToHex(verdict.value.blockHash)).toBe(block_hash);
  }
  expect(leaves.filter(({ reason }) => reason === null)).toHaveLength(5);
});

test('the hash chain', () => {
  const vectors = read<{
    events: { events: string[]; events_hash: string }[];
    chain: { block_hash: string; events_hash: string; chain_hash: string }[];
    states: { rows: { kind: number; key: string; value: string }[]; state_hash: string }[];
  }>('hash-chain');
  for (const { events, events_hash } of vectors.events) {
    expect(bytesToHex(hashEvents(events.map(getHexBytes)))).toBe(events_hash);
  }
  let chain: Uint8Array = new Uint8Array(32);
  for (const { block_hash, events_hash, chain_hash } of vectors.chain) {
    chain = nextChainHash(chain, getHexBytes(block_hash), getHexBytes(events_hash));
    expect(bytesToHex(chain)).toBe(chain_hash);
  }
  for (const { rows, state_hash } of vectors.states) {
    const parsed = rows.map(({ kind, key, value }) => ({
      kind,
      key: getHexBytes(key),
      value: getHexBytes(value),
    }));
    expect(bytesToHex(hashState(parsed))).toBe(state_hash);
  }
});
