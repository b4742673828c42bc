import { findPayload } from '@coinfront/protocol/carrier.ts';
import { describeNamePayload } from '@coinfront/protocol/names/describe-name-payload.ts';
import {
  decodeNameOperation,
  encodeNameOperation,
  LATER_KINDS,
} from '@coinfront/protocol/names/name-operation.ts';
import { prepareNameOperation } from '@coinfront/protocol/names/name-rules.ts';
import { anchorScript, findAnchoredDigest, listAnchors } from '@coinfront/protocol/proofs/anchor.ts';
import { nameContext, tokenContext } from '@coinfront/protocol/testing/protocol-rules.ts';
import { p2wpkhOwner, placeTransaction, shapedTransaction } from '@coinfront/protocol/testing/spends.ts';
import { decodeTokenOperation, encodeTokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import { prepareTokenOperation } from '@coinfront/protocol/tokens/token-rules.ts';
import { contributionScript, findContributionTag } from '@coinfront/protocol/treasury/contribution-tag.ts';
import { demand, type FuzzTarget, hex, join, utf8 } from '../target.ts';

const nameRules = {
  ...nameContext,
  rules: { ...nameContext.rules, reverseActivationHeight: 100, recordsActivationHeight: 100 },
};
const nameMarker = nameContext.rules.marker;
const tokenMarker = tokenContext.rules.marker;
const proofMarker = hex('56504631');
const treasuryMarker = hex('56545231');
const owner = p2wpkhOwner(3);

/** Payload of a data carrier. */
export const carriersTarget: FuzzTarget = {
  name: 'carriers',
  reads: 'data carriers of names, tokens, proofs and the treasury, and what the rules make of them',
  form: 'bytes',
  maxBytes: 300,
  seeds: listSeeds(),
  check(input) {
    checkName(input);
    checkToken(input);
    const script = join(0x6a, ...(input.length < 76 ? [] : [0x4c]), input.length & 0xff, input);
    const outputs = [
      { value: 7n, script },
      { value: 1_000_000_000n, script: owner.script },
      { value: 0n, script: input },
    ];
    const digest = findAnchoredDigest(script, proofMarker);
    if (digest !== undefined)
      demand(Buffer.from(anchorScript(digest, proofMarker)).equals(script), 'an anchor has one script');
    demand(listAnchors(outputs, proofMarker).length <= outputs.length, 'an output anchors once');
    const tag = findContributionTag(outputs, treasuryMarker);
    if (tag.kind === 'one')
      demand(
        Buffer.from(contributionScript(hex(tag.tag), treasuryMarker)).equals(outputs[tag.vout]!.script),
        'a tag has one script',
      );
    const tx = shapedTransaction(owner.spend(), outputs, 1);
    const placed = placeTransaction(tx, owner.script, 1_000_000, 1);
    findPayload(tx.outputs, nameMarker);
    describeNamePayload(tx, nameRules.rules, placed.height);
    prepareNameOperation(placed, nameRules);
    prepareTokenOperation(placed, tokenContext);
  },
  growing: {
    bytes: (bytes) => new Uint8Array(bytes).fill(0x81),
    'a name': (bytes) => join(nameMarker, 4, 1, new Uint8Array(Math.min(bytes, 60_000)).fill(0x61)),
    'shares of a transfer': (bytes) =>
      join(tokenMarker, 3, new Uint8Array(32), 255, new Uint8Array(Math.min(bytes, 60_000)).fill(1)),
  },
};

function checkName(input: Uint8Array): void {
  const decoded = decodeNameOperation(input, LATER_KINDS);
  if (!decoded.ok) return;
  const { operation } = decoded;
  // Bytes above ASCII are no name; they are read, and written as what they would be in UTF-8.
  if ('name' in operation && /[^\0-\x7f]/.test(operation.name)) return;
  const written = encodeNameOperation(operation, input.subarray(0, 4));
  demand(Buffer.from(written).equals(input), 'an operation of names has one payload');
}

function checkToken(input: Uint8Array): void {
  const decoded = decodeTokenOperation(input);
  if (!decoded.ok || input.length > 80) return;
  const written = encodeTokenOperation(decoded.operation, input.subarray(0, 4));
  demand(Buffer.from(written).equals(input), 'an operation of tokens has one payload');
}

function listSeeds(): Uint8Array[] {
  const salt = new Uint8Array(16).fill(7);
  const tokenId = new Uint8Array(32).fill(9);
  const terms = {
    mintable: true,
    decimals: 8,
    premine: 5n,
    cap: 1n << 40n,
    ticker: 'ABC1',
    metadataHash: tokenId,
  };
  return [
    ...[
      { kind: 'commit', commitment: tokenId } as const,
      { kind: 'register', periods: 1, salt, name: 'alice.coin' } as const,
      { kind: 'transfer', toVout: 1, name: 'alice.coin' } as const,
      { kind: 'renew', periods: 2, name: 'alice.coin' } as const,
      { kind: 'reverse', name: 'alice.coin' } as const,
      { kind: 'records', hash: tokenId, name: 'alice.coin' } as const,
    ].map((operation) => encodeNameOperation(operation, nameMarker)),
    ...[
      { kind: 'create', terms } as const,
      { kind: 'create', terms: { ...terms, cap: undefined, metadataHash: undefined } } as const,
      { kind: 'mint', tokenId, closes: true, toVout: 1, amount: 300n } as const,
      {
        kind: 'transfer',
        tokenId,
        shares: [
          { toVout: 1, amount: 1n },
          { toVout: 0, amount: 2n ** 62n },
        ],
      } as const,
      { kind: 'burn', tokenId, amount: 128n } as const,
      { kind: 'sweep', toVout: 1 } as const,
    ].map((operation) => encodeTokenOperation({ ...operation } as never, tokenMarker)),
    join(proofMarker, tokenId),
    join(treasuryMarker, salt),
    utf8('nothing of ours'),
  ];
}
