import { concatBytes, getHexBytes, toDisplayHash } from '../../bytes.ts';
import { buildCarrier } from '../../carrier.ts';
import { sha256 } from '../../hash.ts';
import { witnessScript } from '../../script.ts';
import { segwitSighashAll } from '../../sighash.ts';
import { encodeTokenOperation } from '../../tokens/token-operation.ts';
import { serializeTransaction, type Transaction, type TxOutput, txidOf } from '../../transaction.ts';
import { tokenContext } from '../protocol-rules.ts';
import { toJson } from './hex.ts';

/** G and 2 G: keys whose secrets everybody knows. */
const SELLER_KEY = getHexBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
const BUYER_KEY = getHexBytes('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
const OP_2 = 0x52;
const OP_CHECKMULTISIG = 0xae;
const REPLACEABLE = 0xffff_fffd;
const DUST = 5_460n;

const addressOf = (number: number): Uint8Array => witnessScript(0, new Uint8Array(20).fill(number));

const terms = {
  tokenId: new Uint8Array(32).fill(0x5e),
  amount: 250n,
  price: 1_000_000n,
  seller: { publicKey: SELLER_KEY, script: addressOf(7) },
  buyer: { publicKey: BUYER_KEY, script: addressOf(8) },
  escrowValue: 10_000n,
  refundFee: 2_250n,
  refundAfter: 900,
};

/** The keys in the order of BIP-67, which is that of their names here. */
const multisig = concatBytes(
  Uint8Array.of(OP_2, 33),
  SELLER_KEY,
  Uint8Array.of(33),
  BUYER_KEY,
  Uint8Array.of(OP_2, OP_CHECKMULTISIG),
);
const escrow = { value: terms.escrowValue, script: witnessScript(0, sha256(multisig)) };

const carrierOf = (amount: bigint, toVout = 1): TxOutput => {
  const shares = [{ toVout, amount }];
  const payload = encodeTokenOperation(
    { kind: 'transfer', tokenId: terms.tokenId, shares },
    tokenContext.rules.marker,
  );
  return { value: 0n, script: buildCarrier(payload) };
};
const carrier = carrierOf(terms.amount);

type Outpoint = { prevTxid: Uint8Array; prevVout: number };

function build(outpoints: readonly Outpoint[], outputs: TxOutput[], locktime = 0): Transaction {
  const inputs = outpoints.map((outpoint) => ({
    ...outpoint,
    scriptSig: new Uint8Array(0),
    sequence: REPLACEABLE,
    witness: [],
  }));
  return { version: 2, inputs, outputs, locktime, hasWitness: false, mweb: undefined };
}

const coinOf = (number: number): Outpoint => ({ prevTxid: new Uint8Array(32).fill(number), prevVout: 0 });
const change = (number: number): TxOutput => ({ value: 70_000n, script: addressOf(number) });

const funding = build([coinOf(1), coinOf(2)], [carrier, escrow, change(7)]);
const spentEscrow: Outpoint = { prevTxid: txidOf(funding), prevVout: 1 };

const back = { value: terms.escrowValue - terms.refundFee, script: terms.seller.script };
const refund = build([spentEscrow], [carrier, back], terms.refundAfter);

const toBuyer = { value: DUST, script: terms.buyer.script };
const paid = { value: terms.price + terms.escrowValue, script: terms.seller.script };
const swapInputs = [spentEscrow, coinOf(3)];
const swap = build(swapInputs, [carrier, toBuyer, paid, change(8)]);

const rawOf = (tx: Transaction): Uint8Array => serializeTransaction(tx, { witness: false });
const describe = (tx: Transaction) => ({ raw: rawOf(tx), txid: toDisplayHash(txidOf(tx)) });
const describeSpend = (tx: Transaction) => ({
  ...describe(tx),
  sighash: segwitSighashAll(tx, 0, { scriptCode: multisig, value: terms.escrowValue }),
});
const refused = (cases: readonly (readonly [string, Transaction])[]) =>
  cases.map(([about, tx]) => ({ about, raw: rawOf(tx) }));

function listNoFundings() {
  const [first, ...others] = funding.inputs;
  const withScriptSig = [{ ...first!, scriptSig: Uint8Array.of(0) }, ...others];
  return refused([
    ['moves less', { ...funding, outputs: [carrierOf(terms.amount - 1n), escrow, change(7)] }],
    [
      'moves them to another output',
      { ...funding, outputs: [carrierOf(terms.amount, 2), escrow, change(7)] },
    ],
    ['has another payload', { ...funding, outputs: [carrier, escrow, change(7), carrier] }],
    ['carries nothing', { ...funding, outputs: [change(7), escrow] }],
    ['gives the escrow less', { ...funding, outputs: [carrier, { ...escrow, value: escrow.value - 1n }] }],
    ['pays another script', { ...funding, outputs: [carrier, { ...escrow, script: addressOf(7) }] }],
    ['has an id that can change', { ...funding, inputs: withScriptSig }],
  ]);
}

function listNoSwaps() {
  return refused([
    ['spends the escrow in another input', build(swapInputs.toReversed(), swap.outputs)],
    ['spends another output', build([{ ...spentEscrow, prevVout: 2 }, coinOf(3)], swap.outputs)],
    ['pays less', build(swapInputs, [carrier, toBuyer, { ...paid, value: paid.value - 1n }])],
    ['pays more', build(swapInputs, [carrier, toBuyer, { ...paid, value: paid.value + 1n }])],
    ['pays somebody else', build(swapInputs, [carrier, toBuyer, { ...paid, script: addressOf(9) }])],
    [
      'gives the tokens to somebody else',
      build(swapInputs, [carrier, { ...toBuyer, script: addressOf(9) }, paid]),
    ],
    ['moves less', build(swapInputs, [carrierOf(terms.amount - 1n), toBuyer, paid])],
    ['has another payload', build(swapInputs, [carrier, toBuyer, paid, carrier])],
    ['waits for a block', build(swapInputs, swap.outputs, 1)],
  ]);
}

/** The content of docs/protocols/vectors/token-swap.json. */
export function makeSwapVectors(): unknown {
  return toJson({
    about:
      'Test vectors of docs/protocols/token-swap.md. Transactions are without witnesses; sighashes are those of input 0 (BIP-143, SIGHASH_ALL). What is not the funding, or not the swap, no party signs.',
    marker: tokenContext.rules.marker,
    terms,
    escrow: { witnessScript: multisig, script: escrow.script },
    funding: describe(funding),
    refund: describeSpend(refund),
    swap: describeSpend(swap),
    notFunding: listNoFundings(),
    notSwap: listNoSwaps(),
  });
}
