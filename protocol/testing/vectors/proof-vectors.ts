import { blockHashOf } from '../../block.ts';
import { bytesToHex, concatBytes, getHexBytes } from '../../bytes.ts';
import { CHAIN_START, hashEvents, hashState, nextChainHash } from '../../hash-chain.ts';
import { merkleBranch, merkleRoot } from '../../merkle.ts';
import { exportOts } from '../../ots/export-ots.ts';
import { blockTagOf } from '../../ots/ots-attestations.ts';
import {
  anchorScript,
  digestStateRow,
  encodeAnchorEvent,
  findAnchoredDigest,
  listAnchors,
  proofState,
} from '../../proofs/anchor.ts';
import { type LeafPlace, verifyLeaf } from '../../proofs/verify-leaf.ts';
import { type AnchorProof, verifyProof } from '../../proofs/verify-proof.ts';
import { hashLeaf, hashNode, inclusionPath, rootOfLeaves } from '../../signed-log/merkle-tree.ts';
import { serializeTransaction, type Transaction, txidOf } from '../../transaction.ts';
import { p2wpkhOwner, shapedTransaction } from '../spends.ts';
import { vectorBlockHash } from './chain-vector.ts';
import { toJson } from './hex.ts';

const MARKER = getHexBytes('56504631');
const DIGEST = getHexBytes('da'.repeat(32));
const OTHER = getHexBytes('0b'.repeat(32));
const HEIGHT = 5;

const NO_ANCHORS: [about: string, script: string][] = [
  ['another marker', `6a2456504632${'da'.repeat(32)}`],
  ['a byte more', `6a2556504631${'da'.repeat(33)}`],
  ['a byte less', `6a2356504631${'da'.repeat(31)}`],
  ['a byte after it', `6a2456504631${'da'.repeat(32)}00`],
  ['PUSHDATA1', `6a4c2456504631${'da'.repeat(32)}`],
];

function makeTransactions() {
  const owner = p2wpkhOwner(1);
  const anchor = (digest: Uint8Array) => ({ value: 0n, script: anchorScript(digest, MARKER) });
  const pay = { value: 1000n, script: owner.script };
  return [[pay], [anchor(DIGEST), pay, anchor(OTHER)], [pay, anchor(DIGEST), anchor(DIGEST)]].map(
    (outputs, i) => shapedTransaction(owner.spend(), outputs, 0x2000 + i),
  );
}

/** The proof that a block of these transactions has the anchor in the first output of one of them. */
function proveAnchor(txs: readonly Transaction[], position: number): AnchorProof {
  const txids = txs.map(txidOf);
  return {
    rawTx: serializeTransaction(txs[position]!, { witness: false }),
    vout: 0,
    position,
    branch: merkleBranch(txids, position),
    header: concatBytes(new Uint8Array(36), merkleRoot(txids), getHexBytes('00f15365'), new Uint8Array(8)),
  };
}

function makeProofs() {
  const txs = makeTransactions();
  const good = proveAnchor(txs, 1);
  const ambiguous = `0200000001${'ab'.repeat(32)}0000000000ffffffff01${'00'.repeat(8)}046a02000000000000`;
  const proofs: [about: string, proof: AnchorProof, reason: string | null][] = [
    ['the second of three transactions', good, null],
    ['the same with its witness', { ...good, rawTx: serializeTransaction(txs[1]!, { witness: true }) }, null],
    ['no transaction', { ...good, rawTx: getHexBytes('0200') }, 'transaction_malformed'],
    ['a transaction of 64 bytes', { ...good, rawTx: getHexBytes(ambiguous) }, 'transaction_ambiguous'],
    ['an output that anchors another digest', { ...good, vout: 2 }, 'anchor_missing'],
    ['an output that is not there', { ...good, vout: 3 }, 'anchor_missing'],
    ['a header of 79 bytes', { ...good, header: good.header.slice(1) }, 'header_malformed'],
    ['another position', { ...good, position: 0 }, 'branch_invalid'],
    ['a branch that is too short', { ...good, branch: good.branch.slice(1) }, 'branch_invalid'],
  ];
  return proofs.map(([about, proof, reason]) => {
    const verdict = verifyProof(DIGEST, proof, MARKER);
    const code = verdict.ok ? null : verdict.reason;
    if (code !== reason) throw new Error(`${about}: expected ${reason}, the rules say ${code}`);
    return {
      about,
      digest: bytesToHex(DIGEST),
      ...(toJson(proof) as object),
      valid: verdict.ok,
      reason,
      block_hash: verdict.ok ? bytesToHex(blockHashOf(proof.header)) : null,
    };
  });
}

/** Genesis hashes, as they are displayed. */
const CHAINS: [about: string, genesisHash: string][] = [
  [
    'leaf 2 as a file of OpenTimestamps, if the block were one of Bitcoin',
    '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  ],
  ['of Litecoin', '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2'],
  ["of Litecoin's regtest", '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'],
];

/** Digests of the tree of the vectors. */
const TREE_DIGESTS = [1, 2, 3, 4, 5].map((byte) => new Uint8Array(32).fill(byte));

function makeLeaves() {
  const leaves = TREE_DIGESTS.map(hashLeaf);
  const root = rootOfLeaves(leaves);
  const owner = p2wpkhOwner(1);
  const txs = [anchorScript(root, MARKER), owner.script].map((script, i) =>
    shapedTransaction(owner.spend(), [{ value: 0n, script }], 0x3000 + i),
  );
  const anchor = proveAnchor(txs, 0);
  const placeOf = (index: number): LeafPlace => ({
    index,
    size: leaves.length,
    path: inclusionPath(leaves, index),
    root,
  });
  const cases: [about: string, digest: Uint8Array, place: LeafPlace, reason: string | null][] = [
    ...TREE_DIGESTS.map((digest, i): (typeof cases)[0] => [`leaf ${i} of five`, digest, placeOf(i), null]),
    ['another digest', DIGEST, placeOf(0), 'path_invalid'],
    ['the place of another leaf', TREE_DIGESTS[0]!, { ...placeOf(0), index: 1 }, 'path_invalid'],
    ['a tree of another size', TREE_DIGESTS[4]!, { ...placeOf(4), size: 6 }, 'path_invalid'],
    ['a node in place of a digest', hashNode(leaves[0]!, leaves[1]!), placeOf(0), 'path_invalid'],
    [
      'a root that is not anchored',
      DIGEST,
      { index: 0, size: 1, path: [], root: hashLeaf(DIGEST) },
      'anchor_missing',
    ],
  ];
  const makeFile = ([about, genesisHash]: (typeof CHAINS)[0]) => ({
    about,
    genesis_hash: genesisHash,
    tag: blockTagOf(genesisHash),
    height: 812_340,
    file: bytesToHex(
      exportOts({
        digest: TREE_DIGESTS[2]!,
        place: placeOf(2),
        anchor,
        height: 812_340,
        genesisHash,
        marker: MARKER,
      })!,
    ),
  });
  return {
    about: 'a tree of five digests, and the proof of its root',
    ots: CHAINS.map(makeFile),
    anchor: toJson(anchor),
    block_hash: bytesToHex(blockHashOf(anchor.header)),
    leaves: cases.map(([about, digest, place, reason]) => {
      const verdict = verifyLeaf(digest, place, anchor, MARKER);
      const code = verdict.ok ? null : verdict.reason;
      if (code !== reason) throw new Error(`${about}: expected ${reason}, the rules say ${code}`);
      return { about, digest: bytesToHex(digest), ...(toJson(place) as object), valid: verdict.ok, reason };
    }),
  };
}

function makeBlock() {
  const txs = makeTransactions();
  const events = txs.flatMap((tx, position) =>
    listAnchors(tx.outputs, MARKER).map((anchor) =>
      encodeAnchorEvent({ position, txid: txidOf(tx) }, anchor),
    ),
  );
  const primary = (position: number, vout: number) => ({ height: HEIGHT, position, vout });
  const rows = [
    digestStateRow(DIGEST, primary(1, 0), txidOf(txs[1]!)),
    digestStateRow(OTHER, primary(1, 2), txidOf(txs[1]!)),
  ];
  return {
    about: 'a block of its own, as if it were the first',
    height: HEIGHT,
    block_hash: bytesToHex(vectorBlockHash(HEIGHT)),
    transactions: txs.map((tx) => bytesToHex(serializeTransaction(tx, { witness: true }))),
    events: events.map(bytesToHex),
    events_hash: bytesToHex(hashEvents(events)),
    chain_hash: bytesToHex(nextChainHash(CHAIN_START, vectorBlockHash(HEIGHT), hashEvents(events))),
    state_hash: bytesToHex(hashState(rows)),
  };
}

/** The content of docs/protocols/vectors/proofs.json. */
export function makeProofVectors(): unknown {
  return {
    about: 'Test vectors of docs/protocols/proofs.md. Hashes are in internal byte order.',
    marker: bytesToHex(MARKER),
    scripts: [
      { about: 'an anchor', script: bytesToHex(anchorScript(DIGEST, MARKER)), digest: bytesToHex(DIGEST) },
      ...NO_ANCHORS.map(([about, script]) => {
        if (findAnchoredDigest(getHexBytes(script), MARKER)) throw new Error(`${about} is an anchor`);
        return { about, script, digest: null };
      }),
    ],
    states: [undefined, 100, 96, 95, 94].map((height) => ({
      height: height ?? null,
      tip_height: 100,
      final_confirmations: 6,
      state: proofState(height, 100, { finalConfirmations: 6 }),
    })),
    proofs: makeProofs(),
    tree: makeLeaves(),
    block: makeBlock(),
  };
}
