import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { nameCommitment } from '@coinfront/protocol/names/name-commitment.ts';
import { encodeNameOperation, type NameOperation } from '@coinfront/protocol/names/name-operation.ts';
import type { PlacedTransaction } from '@coinfront/protocol/operation.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import {
  carrierOutput,
  multisigOwner,
  type Owner,
  p2pkhOwner,
  p2trOwner,
  p2wpkhOwner,
} from '@coinfront/protocol/testing/spends.ts';
import { tokenIdOf } from '@coinfront/protocol/tokens/token-id.ts';
import { encodeTokenOperation, type TokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import { type Transaction, type TxOutput, txidOf } from '@coinfront/protocol/transaction.ts';
import type { Random } from '../../scripts/traffic/random.ts';
import type { FetchedBlock } from '../../service/src/indexer/feed/fetched-block.ts';
import { assembleBlock } from './assemble-block.ts';

/** An output that one of the owners can spend. */
type OwnedCoin = { txid: Uint8Array; vout: number; owner: number };

/** A block that no node has seen, with what the rules have to know of it and what can be done after it. */
export type OperationBlock = {
  readonly fetched: FetchedBlock;
  readonly parent: OperationBlock | undefined;
  readonly placed: readonly PlacedTransaction[];
  readonly coins: readonly OwnedCoin[];
  readonly tokens: readonly MadeToken[];
};

type MadeToken = { id: Uint8Array; issuer: number };

/** Owners of every form that matters to an index: few, so that they meet again and again. */
export const owners: readonly Owner[] = [
  p2wpkhOwner(1),
  p2wpkhOwner(2),
  p2pkhOwner(3),
  p2trOwner(4),
  multisigOwner(5, 'p2wsh'),
];

const COIN = 10n ** 12n;
const DIGESTS = 40;
/** Behind one payload, two gifts and two fees. */
const OWN_VOUT = 5;
const KINDS = [
  'create',
  'mint',
  'mint',
  'transfer',
  'transfer',
  'transfer',
  'transfer',
  'burn',
  'burn',
] as const;
const NAMES = ['abcd.coin', 'abcde.test'];
const salt16 = new Uint8Array(16).fill(5);
const AMOUNTS = [0n, 1n, 2n, 5n, 10n, 10n, 50n, 100n, 2n ** 62n, 2n ** 63n - 1n];

/** Builds a block with so many random operations on another one: signatures have the shape of signatures only. */
export function buildOperationBlock(
  parent: OperationBlock | undefined,
  random: Random,
  count: number,
  salt: number,
  profile: CoinProfile,
): OperationBlock {
  const height = parent ? parent.fetched.height + 1 : 0;
  const coins = [...(parent?.coins ?? [])];
  const tokens = [...(parent?.tokens ?? [])];
  const txs: { tx: Transaction; prevoutScript: Uint8Array | undefined }[] = [];
  const add = (tx: Transaction, prevoutScript: Uint8Array | undefined): void => {
    const txid = txidOf(tx);
    txs.push({ tx, prevoutScript });
    tx.outputs.forEach(({ script, value }, vout) => {
      const owner = owners.findIndex((each) => bytesToHex(each.script) === bytesToHex(script));
      if (owner >= 0 && height > 0 && value >= 100n) coins.push({ txid, vout, owner });
    });
  };
  // Once in a while somebody who was never paid gets the first output of a script.
  const funded = count === 0 ? [] : owners.filter(() => random.integer(0, 1) === 0);
  add(
    {
      version: 1,
      inputs: [
        {
          prevTxid: new Uint8Array(32),
          prevVout: 0xffffffff,
          scriptSig: Uint8Array.of(4, height & 0xff, height >>> 8, salt & 0xff, salt >>> 8),
          sequence: 0,
          witness: [],
        },
      ],
      outputs: [
        { value: 1n, script: Uint8Array.of(0x51) },
        ...funded.map(({ script }) => ({ value: COIN, script })),
      ],
      locktime: 0,
      hasWitness: false,
      mweb: undefined,
    },
    undefined,
  );
  for (let i = 0; i < count; i++) {
    if (coins.length === 0) break;
    const [coin] = coins.splice(random.integer(0, coins.length - 1), 1) as [OwnedCoin];
    const sender = owners[coin.owner]!;
    const { payloads, isCreate } = makePayloads(random, coin.owner, tokens, profile);
    const to = [random.pick(owners), random.pick(owners)];
    const fee = random.pick([profile.tokens!.createFees[0]!.fee, 12_00000000n, 1n]);
    const outputs: TxOutput[] = [
      ...payloads.map(carrierOutput),
      ...to.map(({ script }) => ({ value: 100n, script })),
      { value: fee, script: profile.tokens!.feeScript },
      { value: fee, script: profile.names!.feeScript },
      { value: 100n, script: sender.script },
      ...listAnchorOutputs(salt, i, profile),
    ];
    const spend = sender.spend(random.integer(1, 15) === 1 ? 0x81 : undefined);
    const tx: Transaction = {
      version: 2,
      inputs: [{ prevTxid: coin.txid, prevVout: coin.vout, sequence: 0xfffffffd, ...spend }],
      outputs,
      locktime: salt,
      hasWitness: spend.witness.length > 0,
      mweb: undefined,
    };
    add(tx, sender.script);
    if (isCreate)
      tokens.push({ id: tokenIdOf(tx.inputs[0]!, payloads[0]!, genesisPrefix(profile)), issuer: coin.owner });
  }
  const all = txs.map(({ tx }) => tx);
  return {
    fetched: assembleBlock(parent?.fetched, {
      height,
      time: 1_600_000_000 + height * 60,
      nonce: salt,
      txs: all,
    }),
    parent,
    placed: txs.map(({ tx, prevoutScript }, position) => ({
      tx,
      txid: txidOf(tx),
      height,
      position,
      prevoutScript,
    })),
    coins,
    tokens: tokens.slice(-4),
  };
}

/** In a third of the transactions an anchor, in some two: of digests so few that they come again and again. */
function listAnchorOutputs(salt: number, index: number, { proofs }: CoinProfile): TxOutput[] {
  if ((salt + index) % 3 !== 0) return [];
  const anchor = (seed: number): TxOutput => ({
    value: 0n,
    script: anchorScript(new Uint8Array(32).fill(seed % DIGESTS), proofs.marker),
  });
  const first = salt * 7 + index;
  return first % 4 === 0 ? [anchor(first), anchor(first * 5 + 1)] : [anchor(first)];
}

/** One payload, or now and then two of the same or of different protocols. */
function makePayloads(random: Random, owner: number, tokens: readonly MadeToken[], profile: CoinProfile) {
  const token = makeTokenOperation(random, owner, tokens);
  const tokenPayload = encodeTokenOperation(token, profile.tokens!.marker);
  const namePayload = encodeNameOperation(makeNameOperation(random, owner, profile), profile.names!.marker);
  const choice = random.integer(0, 19);
  const isCreate = token.kind === 'create';
  if (choice === 0) return { payloads: [tokenPayload, tokenPayload], isCreate: false };
  if (choice === 1) return { payloads: [namePayload, tokenPayload.slice(0, 20)], isCreate: false };
  if (choice <= 3) return { payloads: [tokenPayload, namePayload], isCreate };
  return choice <= 10 ? { payloads: [namePayload], isCreate: false } : { payloads: [tokenPayload], isCreate };
}

function makeTokenOperation(random: Random, owner: number, tokens: readonly MadeToken[]): TokenOperation {
  const own = tokens.filter(({ issuer }) => issuer === owner);
  const known = own.length > 0 && random.integer(0, 3) > 0 ? own : tokens;
  const tokenId = known.length === 0 ? random.bytes(32) : random.pick(known).id;
  const kind = tokens.length < 2 ? 'create' : random.pick(KINDS);
  const amount = random.pick(AMOUNTS);
  if (kind === 'create') {
    const premine = random.pick([...AMOUNTS, 1_000n, 1_000n, 1_000n]);
    const terms = {
      mintable: random.integer(0, 3) > 0,
      decimals: random.pick([0, 2, 18]),
      premine,
      cap: random.pick([undefined, undefined, premine, 1_500n]),
      ticker: random.pick(['A', 'ABCDEFGHIJ12']),
      metadataHash: undefined,
    };
    return { kind, terms };
  }
  if (kind === 'mint') {
    return { kind, tokenId, closes: random.integer(0, 7) === 0, toVout: random.integer(1, 3), amount };
  }
  if (kind === 'burn') return { kind, tokenId, amount };
  const shares = Array.from({ length: random.integer(1, 2) }, (_, i) => ({
    toVout: i + 1,
    amount: random.pick(AMOUNTS.slice(1, 8)),
  }));
  return { kind, tokenId, shares };
}

function makeNameOperation(random: Random, owner: number, profile: CoinProfile): NameOperation {
  const name = random.pick(NAMES);
  const kind = random.pick([
    ...(['commit', 'commit', 'commit', 'commit', 'commit', 'register', 'register', 'register'] as const),
    ...(['register', 'register', 'transfer', 'transfer', 'transfer', 'renew', 'renew'] as const),
    ...(['reverse', 'records'] as const),
  ]);
  const periods = random.pick([0, 1, 1, 1, 2, 2, 3, 4]);
  const ownerScript = random.integer(0, 7) === 0 ? random.pick(owners).script : owners[owner]!.script;
  if (kind === 'commit')
    return { kind, commitment: nameCommitment({ ownerScript, salt: salt16, name }, genesisPrefix(profile)) };
  if (kind === 'register') return { kind, periods, salt: salt16, name };
  if (kind === 'reverse') return { kind, name: random.integer(0, 5) === 0 ? '' : name };
  if (kind === 'records') return { kind, hash: new Uint8Array(32).fill(random.integer(0, 2)), name };
  return kind === 'transfer'
    ? { kind, toVout: random.pick([0, 1, 1, 2, OWN_VOUT, OWN_VOUT]), name }
    : { kind, periods, name };
}

/** The chain that ends with a block, from genesis on. */
export function chainOf(tip: OperationBlock | undefined): OperationBlock[] {
  const chain: OperationBlock[] = [];
  for (let block = tip; block; block = block.parent) chain.push(block);
  return chain.reverse();
}
