import { concatBytes, getHexBytes } from '../../bytes.ts';
import { readCarrier } from '../../carrier.ts';
import { MAX_LEB128 } from '../../leb128.ts';
import { tokenIdOf } from '../../tokens/token-id.ts';
import {
  decodeTokenOperation,
  encodeTokenOperation,
  type TokenOperation,
  type TokenTerms,
} from '../../tokens/token-operation.ts';
import type { TxOutput } from '../../transaction.ts';
import { FEE_SCRIPT, GENESIS_HASH, tokenContext } from '../protocol-rules.ts';
import {
  carrierOutput,
  nestedKeyOwner,
  type Owner,
  p2trOwner,
  p2wpkhOwner,
  shapedTransaction,
} from '../spends.ts';
import { createTokenLedger } from '../token-ledger.ts';
import { playVector, type ScriptedBlock, type ScriptedTransaction } from './chain-vector.ts';
import { toJson } from './hex.ts';
import { senderFaultSpends } from './sender-vectors.ts';

const { rules, genesisPrefix } = tokenContext;
const { marker } = rules;
export const ISSUER: Owner = p2trOwner(1);
export const BOB: Owner = p2wpkhOwner(2);
export const CAROL: Owner = nestedKeyOwner(3);
const METADATA = getHexBytes('3d'.repeat(32));
export const TERMS: TokenTerms = {
  mintable: true,
  decimals: 2,
  premine: 100n,
  cap: 150n,
  ticker: 'GOLD',
  metadataHash: METADATA,
};
const ID = 'ab'.repeat(32);

const BAD_PAYLOADS = [
  '',
  '00',
  `05${ID}00`,
  `06${ID}00`,
  '010808000141',
  '010013000141',
  '0100128000',
  '01000080808080808080808001',
  '01000001',
  '0100000100',
  `010000010d${'41'.repeat(13)}`,
  '010000010161',
  '010000010341',
  '01000001014100',
  `010400010141${'00'.repeat(31)}`,
  `02${ID}020001`,
  `02${ID}0000`,
  `02${ID}00000100`,
  `03${ID}00`,
  `03${ID}020001`,
  `03${ID}01000102`,
  `04${ID}`,
  `04${ID}8100`,
];

const OPERATIONS: TokenOperation[] = [
  { kind: 'create', terms: TERMS },
  {
    kind: 'create',
    terms: {
      ...TERMS,
      mintable: false,
      decimals: 18,
      cap: undefined,
      metadataHash: undefined,
      premine: MAX_LEB128,
      ticker: 'A1B2C3D4E5F6',
    },
  },
  { kind: 'mint', tokenId: getHexBytes(ID), closes: false, toVout: 2, amount: 1n },
  { kind: 'mint', tokenId: getHexBytes(ID), closes: true, toVout: 2, amount: 0n },
  {
    kind: 'transfer',
    tokenId: getHexBytes(ID),
    shares: [
      { toVout: 1, amount: 5n },
      { toVout: 0, amount: 128n },
    ],
  },
  { kind: 'burn', tokenId: getHexBytes(ID), amount: 2n ** 56n },
];

let nonce = 0;

/** Numbers the transactions of a vector from here on. */
export function startNonces(first: number): void {
  nonce = first;
}

/** Output 0 carries, 1 pays Bob, 2 Carol, 3 the fee, 4 Bob again. */
export function step(
  about: string,
  owner: Owner,
  operation: TokenOperation | Uint8Array,
  expect: string | null,
  fee = 0n,
): ScriptedTransaction {
  nonce += 1;
  const payload = operation instanceof Uint8Array ? operation : encodeTokenOperation(operation, marker);
  const outputs: TxOutput[] = [
    carrierOutput(payload),
    { value: 1000n, script: BOB.script },
    { value: 1000n, script: CAROL.script },
    { value: fee, script: FEE_SCRIPT },
    { value: 1000n, script: BOB.script },
  ];
  return { about, tx: shapedTransaction(owner.spend(), outputs, nonce), prevoutScript: owner.script, expect };
}

const create = (
  about: string,
  expect: string,
  terms: Partial<TokenTerms> = {},
  fee = 1000n,
): ScriptedTransaction => step(about, ISSUER, { kind: 'create', terms: { ...TERMS, ...terms } }, expect, fee);

/** The id of the token that a transaction creates. */
export function idOf({ tx }: ScriptedTransaction): Uint8Array {
  return tokenIdOf(tx.inputs[0]!, readCarrier(tx.outputs[0]!.script)!, genesisPrefix);
}

function faults(): ScriptedTransaction[] {
  const twice = create('two payloads', 'several_payloads');
  twice.tx.outputs.push(twice.tx.outputs[0]!);
  const coinbase = create('a coinbase', 'coinbase');
  const coinbaseInput = { ...coinbase.tx.inputs[0]!, prevTxid: new Uint8Array(32), prevVout: 0xffffffff };
  const badSenders = senderFaultSpends().map(({ about, prevoutScript, spend, reason }) => {
    const each = create(about, reason!);
    const tx = { ...each.tx, inputs: [{ ...each.tx.inputs[0]!, ...spend }] };
    return { ...each, tx: { ...tx, hasWitness: spend.witness.length > 0 }, prevoutScript };
  });
  const badPayloads = BAD_PAYLOADS.map((hex) => {
    const payload = concatBytes(marker, getHexBytes(hex));
    const decoded = decodeTokenOperation(payload);
    if (decoded.ok) throw new Error(`${hex} is an operation`);
    return step(`payload ${hex || 'of nothing but the marker'}`, ISSUER, payload, decoded.reason);
  });
  return [
    { ...coinbase, tx: { ...coinbase.tx, inputs: [coinbaseInput] }, prevoutScript: undefined },
    twice,
    step('no payload of this protocol', ISSUER, getHexBytes('564e533104'), null),
    ...badSenders,
    ...badPayloads,
  ];
}

function makeBlocks(): ScriptedBlock[] {
  const created = create('a capped, mintable token', 'create');
  const tokenId = idOf(created);
  const mint = (amount: bigint, { closes = false, toVout = 1 } = {}): TokenOperation => ({
    kind: 'mint',
    tokenId,
    closes,
    toVout,
    amount,
  });
  const transfer = (...shares: [number, bigint][]): TokenOperation => ({
    kind: 'transfer',
    tokenId,
    shares: shares.map(([toVout, amount]) => ({ toVout, amount })),
  });
  const burn = (amount: bigint): TokenOperation => ({ kind: 'burn', tokenId, amount });
  const endless = create('a token without cap', 'create', { cap: undefined, premine: 0n, ticker: 'ENDLESS' });
  return [
    { height: 100, transactions: faults() },
    {
      height: 101,
      transactions: [
        step('minting before the creation', ISSUER, mint(1n), 'token_unknown'),
        create('a premine above the cap', 'premine_above_cap', { premine: 151n }),
        create('not mintable, nothing premined', 'premine_zero', { mintable: false, premine: 0n }),
        create('the fee is not paid', 'fee_too_low', {}, 999n),
        created,
        endless,
        create('a second token of the same ticker, with a fixed supply', 'create', {
          mintable: false,
          cap: undefined,
        }),
      ],
    },
    {
      height: 102,
      transactions: [
        step('a stranger mints', BOB, mint(1n), 'not_issuer'),
        step('more than the cap leaves', ISSUER, mint(51n), 'cap_exceeded'),
        step('minting nothing', ISSUER, mint(0n), 'amount_zero'),
        step('minting to the carrier', ISSUER, mint(1n, { toVout: 0 }), 'output_is_carrier'),
        step(
          'closing towards an output that is not there',
          ISSUER,
          mint(0n, { closes: true, toVout: 5 }),
          'output_missing',
        ),
        step('minting up to the cap', ISSUER, mint(50n), 'mint'),
        step(
          '2^63 - 1 at once, where there is no cap',
          ISSUER,
          { kind: 'mint', tokenId: idOf(endless), closes: false, toVout: 2, amount: MAX_LEB128 },
          'mint',
        ),
        step(
          'one more',
          ISSUER,
          { kind: 'mint', tokenId: idOf(endless), closes: false, toVout: 2, amount: 1n },
          'cap_exceeded',
        ),
      ],
    },
    {
      height: 103,
      transactions: [
        step('closing', ISSUER, mint(0n, { closes: true }), 'mint'),
        step('minting afterwards', ISSUER, mint(0n, { closes: true }), 'minting_closed'),
        step('more than the balance', BOB, transfer([2, 25n], [1, 26n]), 'balance_too_low'),
        step('the same output twice', BOB, transfer([2, 1n], [2, 1n]), 'output_repeated'),
        step('a share of nothing', BOB, transfer([2, 0n]), 'amount_zero'),
        step('to the carrier', BOB, transfer([0, 1n]), 'output_is_carrier'),
        step('to an output that is not there', BOB, transfer([9, 1n]), 'output_missing'),
        step(
          'to himself twice and to Carol: shares of one script are one',
          BOB,
          transfer([1, 10n], [2, 20n], [4, 20n]),
          'transfer',
        ),
        step(
          'of a token that there is not',
          BOB,
          { kind: 'burn', tokenId: getHexBytes(ID), amount: 1n },
          'token_unknown',
        ),
      ],
    },
    {
      height: 104,
      transactions: [
        step('burning more than the balance', CAROL, burn(21n), 'balance_too_low'),
        step('burning nothing', CAROL, burn(0n), 'amount_zero'),
        step('burning all: the holder is gone', CAROL, burn(20n), 'burn'),
        step('the whole balance moves', ISSUER, transfer([1, 100n]), 'transfer'),
      ],
    },
    {
      height: 110,
      transactions: [
        create('the fee of before', 'fee_too_low', { ticker: 'LATE' }, 1999n),
        create('the fee of this height', 'create', { ticker: 'LATE' }, 2000n),
      ],
    },
  ];
}

/** The content of docs/protocols/vectors/tokens.json. */
export function makeTokenVectors(): unknown {
  startNonces(0x1000);
  const ledger = createTokenLedger(tokenContext);
  const blocks = makeBlocks();
  const creates = blocks.flatMap(({ transactions }) =>
    transactions.filter(({ expect }) => expect === 'create'),
  );
  return {
    about:
      'Test vectors of docs/protocols/tokens.md. Signatures have their shape and are not valid: the rules judge the shape.',
    genesis_hash: GENESIS_HASH,
    rules: toJson(rules),
    token_ids: creates.map((each) => ({
      prev_txid: toJson(each.tx.inputs[0]!.prevTxid),
      prev_vout: each.tx.inputs[0]!.prevVout,
      payload: toJson(readCarrier(each.tx.outputs[0]!.script)!),
      token_id: toJson(idOf(each)),
    })),
    payloads: {
      valid: OPERATIONS.map((operation) => ({
        payload: toJson(encodeTokenOperation(operation, marker)),
        operation: toJson(operation),
      })),
      invalid: BAD_PAYLOADS.flatMap((hex) => {
        const payload = concatBytes(marker, getHexBytes(hex));
        const decoded = decodeTokenOperation(payload);
        return decoded.ok ? [] : [{ payload: toJson(payload), reason: decoded.reason }];
      }),
    },
    chain: playVector(
      { ...ledger, connect: (_height, blockHash, placed) => ledger.connectBlock(blockHash, placed) },
      rules.activationHeight,
      blocks,
    ),
  };
}
