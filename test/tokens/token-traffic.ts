import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { carrierOutput } from '@coinfront/protocol/testing/spends.ts';
import {
  createTokenLedger,
  type TokenEntry,
  type TokenLedger,
} from '@coinfront/protocol/testing/token-ledger.ts';
import {
  encodeTokenOperation,
  type TokenOperation,
  type TokenTerms,
} from '@coinfront/protocol/tokens/token-operation.ts';
import type { TokenContext, TokenEvent } from '@coinfront/protocol/tokens/token-rules.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import type { Random } from '../../scripts/traffic/random.ts';
import { type MinedBlock, placeTransactions } from '../harness/signed-blocks.ts';
import { type Signed, type Signer, signTransaction } from '../harness/signing-wallet.ts';

export const profile = getShippedProfile('regtest');
export const tokenContext: TokenContext = {
  rules: profile.tokens!,
  genesisPrefix: genesisPrefix(profile),
};
const { rules } = tokenContext;
/** What a CREATE costs on regtest, in base units. */
export const CREATE_FEE = rules.createFees[0]!.fee;

export const TERMS: TokenTerms = {
  mintable: true,
  decimals: 2,
  premine: 1_000n,
  cap: 5_000n,
  ticker: 'GOLD',
  metadataHash: undefined,
};

/** Signs an operation: output 0 carries, then one output for each recipient, then the fee when there is one. */
export function signOperation(
  signer: Signer,
  operation: TokenOperation,
  {
    to = [],
    fee = 0n,
    more = [],
    sighash,
  }: { to?: readonly Signer[]; fee?: bigint; more?: readonly TxOutput[]; sighash?: number | undefined } = {},
): Signed {
  const outputs = [
    carrierOutput(encodeTokenOperation(operation, rules.marker)),
    ...to.map(({ script }) => ({ value: 10_000n, script })),
    ...(fee === 0n ? [] : [{ value: fee, script: rules.feeScript }]),
    ...more,
  ];
  return signTransaction(signer, outputs, sighash === undefined ? {} : { sighash });
}

const AMOUNTS = [0n, 1n, 7n, 20n, 50n, 100n, 400n, 1_000n];
const SIGHASHES = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0x81, 0x83];

/** A random operation, signed: what the ledger makes likely to be valid, and often is not. */
export function signRandomOperation(random: Random, signers: readonly Signer[], ledger: TokenLedger): Signed {
  const tokens = ledger.listTokens();
  const kind = tokens.length < 2 ? 'create' : random.pick(KINDS);
  const token = tokens.length < 2 ? undefined : random.pick(tokens);
  const issuer = signers.find(({ script }) => token && Buffer.from(script).equals(token.issuer));
  const signer = random.pick(signers);
  const isIssuers = kind === 'mint' && issuer && random.integer(1, 4) > 1;
  return signRandomOf(random, kind, isIssuers ? issuer : signer, signers, token?.tokenId);
}

/** A random operation of one kind by one signer. */
export function signRandomOf(
  random: Random,
  kind: TokenOperation['kind'],
  signer: Signer,
  signers: readonly Signer[],
  token: Uint8Array | undefined,
): Signed {
  const to = [random.pick(signers), random.pick(signers), random.pick(signers)];
  const carrier = carrierOutput(Uint8Array.of(...rules.marker, 9));
  const options = {
    to,
    more: random.integer(1, 25) === 1 ? [carrier] : [],
    sighash: random.pick(SIGHASHES),
  };
  if (kind === 'create') {
    const premine = random.pick(AMOUNTS);
    const terms = {
      ...TERMS,
      premine,
      mintable: random.integer(1, 3) > 1,
      cap: random.pick([undefined, premine + 60n, 500n]),
      ticker: random.pick(['GOLD', 'TIN', 'X9']),
      decimals: random.integer(0, 18),
      metadataHash: random.pick([undefined, random.bytes(32)]),
    };
    const fee = random.pick([CREATE_FEE, CREATE_FEE, CREATE_FEE + 1n, CREATE_FEE - 1n]);
    return signOperation(signer, { kind, terms }, { ...options, fee });
  }
  const tokenId = token === undefined || random.integer(1, 25) === 1 ? random.bytes(32) : token;
  const amount = random.pick(AMOUNTS);
  if (kind === 'mint') {
    const closes = random.integer(1, 12) === 1;
    const mint = { kind, tokenId, closes, toVout: random.integer(0, 4), amount } as const;
    return signOperation(signer, mint, options);
  }
  if (kind === 'burn') return signOperation(signer, { kind, tokenId, amount }, options);
  if (kind === 'sweep') {
    const toVout = random.integer(1, 8) === 1 ? random.integer(0, 6) : 1;
    return signOperation(signer, { kind, toVout }, options);
  }
  const shares = Array.from({ length: random.integer(1, 3) }, (_, i) => ({
    toVout: random.integer(1, 8) === 1 ? random.integer(0, 6) : i + 1,
    amount: random.pick(AMOUNTS),
  }));
  return signOperation(signer, { kind, tokenId, shares }, options);
}

const KINDS = [
  'create',
  'mint',
  'mint',
  'mint',
  'transfer',
  'transfer',
  'transfer',
  'transfer',
  'burn',
  'sweep',
] as const;

/** The tokens that an operation was about: of a sweep those that it moved, as lists of operations have them. */
export function listTokenIds(event: TokenEvent): Uint8Array[] {
  return event.kind === 'sweep' ? event.moved.map(({ tokenId }) => tokenId) : [event.tokenId];
}

/** Gives a block to the rules alone. */
export function connectToLedger(ledger: TokenLedger, block: MinedBlock): TokenEntry[] {
  return ledger.connectBlock(block.hash, placeTransactions(block));
}

/** What the rules alone say of these blocks. */
export function playLedger(blocks: readonly MinedBlock[]) {
  const ledger = createTokenLedger(tokenContext);
  const states = new Map<number, Uint8Array>();
  const log: (TokenEntry & { height: number })[] = [];
  for (const block of blocks) {
    const { height } = block;
    log.push(...connectToLedger(ledger, block).map((entry) => ({ ...entry, height })));
    if (height % 1_000 === 0) states.set(height, ledger.stateHash());
  }
  return { ledger, states, log };
}
