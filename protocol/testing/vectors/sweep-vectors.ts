import { concatBytes, getHexBytes } from '../../bytes.ts';
import {
  decodeTokenOperation,
  encodeTokenOperation,
  type TokenOperation,
} from '../../tokens/token-operation.ts';
import type { TokenContext } from '../../tokens/token-rules.ts';
import { GENESIS_HASH, tokenContext } from '../protocol-rules.ts';
import { createTokenLedger } from '../token-ledger.ts';
import { playVector, type ScriptedBlock } from './chain-vector.ts';
import { toJson } from './hex.ts';
import { BOB, CAROL, ISSUER, idOf, startNonces, step, TERMS } from './token-vectors.ts';

/** The coin of the vectors of tokens, with sweeps from a height on. */
export const sweepContext: TokenContext = {
  ...tokenContext,
  rules: { ...tokenContext.rules, sweepActivationHeight: 103 },
};

const { rules } = sweepContext;
/** Three more than a sweep moves. */
const HELD = 35;
const FEE = 1000n;
const TO_BOB = 1;
const TO_CAROL = 2;
const BAD_PAYLOADS = ['07', '070100'];

const sweep = (toVout: number): TokenOperation => ({ kind: 'sweep', toVout });

function makeBlocks(): ScriptedBlock[] {
  const terms = { ...TERMS, cap: undefined, metadataHash: undefined };
  const create = (about: string, owner: typeof BOB, ticker: string, premine = 100n) =>
    step(about, owner, { kind: 'create', terms: { ...terms, ticker, premine } }, 'create', FEE);
  const tokens = Array.from({ length: HELD }, (_, i) => create(`token ${i}`, BOB, `T${i}`, BigInt(i + 1)));
  const mints = create('a token of another issuer', ISSUER, 'MINTED', 0n);
  const [second, last] = [idOf(tokens[1]!), idOf(tokens.at(-1)!)];
  const late = create('a token, in the block of the sweep that moves it', BOB, 'LATE', 7n);
  const transfer = (tokenId: Uint8Array, toVout: number, amount: bigint): TokenOperation => ({
    kind: 'transfer',
    tokenId,
    shares: [{ toVout, amount }],
  });
  const mint = (toVout: number, amount: bigint): TokenOperation => ({
    kind: 'mint',
    tokenId: idOf(mints),
    closes: false,
    toVout,
    amount,
  });
  return [
    { height: 100, transactions: tokens.slice(0, 20) },
    { height: 101, transactions: [...tokens.slice(20), mints] },
    {
      height: 102,
      transactions: [
        step('before there are sweeps', BOB, sweep(TO_CAROL), 'unknown_opcode'),
        step('part of one balance', BOB, transfer(second, TO_CAROL, 1n), 'transfer'),
        step('all of the last balance', BOB, transfer(last, TO_CAROL, BigInt(HELD)), 'transfer'),
        step('a token of another issuer', ISSUER, mint(TO_BOB, 50n), 'mint'),
      ],
    },
    {
      height: 103,
      transactions: [
        step('to an output that is not there', BOB, sweep(9), 'output_missing'),
        step('to the carrier', BOB, sweep(0), 'output_is_carrier'),
        step('to the sender itself', BOB, sweep(4), 'sweep_to_sender'),
        step('by one who has nothing', ISSUER, sweep(TO_BOB), 'nothing_to_sweep'),
        ...BAD_PAYLOADS.map((hex) => {
          const payload = concatBytes(rules.marker, getHexBytes(hex));
          const decoded = decodeTokenOperation(payload);
          if (decoded.ok) throw new Error(`${hex} is an operation`);
          return step(`payload ${hex}`, BOB, payload, decoded.reason);
        }),
        step('the first 32, to one who has some of the second', BOB, sweep(TO_CAROL), 'sweep'),
        step('nothing of the second is left', BOB, transfer(second, TO_CAROL, 1n), 'balance_too_low'),
        step('one of them comes back', CAROL, transfer(second, TO_BOB, 2n), 'transfer'),
        step('the others, and what came back, in the order of creation', BOB, sweep(TO_CAROL), 'sweep'),
        step('again', BOB, sweep(TO_CAROL), 'nothing_to_sweep'),
      ],
    },
    {
      height: 104,
      transactions: [
        late,
        step('a token of this block', BOB, sweep(TO_CAROL), 'sweep'),
        step(
          'what was swept can be burned',
          CAROL,
          { kind: 'burn', tokenId: idOf(late), amount: 7n },
          'burn',
        ),
        step('its issuer mints as before', ISSUER, mint(TO_BOB, 1n), 'mint'),
        step('the first 32 of more', CAROL, sweep(TO_BOB), 'sweep'),
        step('the rest', CAROL, sweep(TO_BOB), 'sweep'),
      ],
    },
  ];
}

/** The content of docs/protocols/vectors/tokens-sweep.json. */
export function makeSweepVectors(): unknown {
  startNonces(0x2000);
  const ledger = createTokenLedger(sweepContext);
  const valid = sweep(TO_CAROL);
  return {
    about:
      'Test vectors of the SWEEP of docs/protocols/tokens.md. Signatures have their shape and are not valid: the rules judge the shape.',
    genesis_hash: GENESIS_HASH,
    rules: toJson(rules),
    payloads: {
      valid: [{ payload: toJson(encodeTokenOperation(valid, rules.marker)), operation: toJson(valid) }],
      invalid: BAD_PAYLOADS.map((hex) => {
        const payload = concatBytes(rules.marker, getHexBytes(hex));
        const decoded = decodeTokenOperation(payload);
        return { payload: toJson(payload), reason: decoded.ok ? null : decoded.reason };
      }),
    },
    chain: playVector(
      { ...ledger, connect: (_height, blockHash, placed) => ledger.connectBlock(blockHash, placed) },
      rules.activationHeight,
      makeBlocks(),
    ),
  };
}
