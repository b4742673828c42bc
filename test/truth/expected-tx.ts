import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { addressFor } from '../harness/raw-coins.ts';
import {
  addressOf,
  asmOf,
  baseUnits,
  coins,
  feeOf,
  isoTime,
  type NodeChain,
  type NodeInput,
  type NodeOutput,
  type NodeScript,
  type NodeTx,
  prevoutOf,
  sumOutputs,
} from './node-chain.ts';

/** Kinds that this node, as old as it is, has no word for. */
const YOUNGER_TYPES: Readonly<Record<string, string>> = { '51024e73': 'anchor' };
/** Kinds of Litecoin alone; elsewhere they are witness versions of the future, whose addresses are known. */
const MWEB_TYPES: ReadonlySet<string> = new Set(['witness_mweb_pegin', 'witness_mweb_hogaddr']);

/** What /api/v1/tx must answer, made of nothing but the node's own decoding. Of `first_seen` only the presence. */
export function expectedTx(chain: NodeChain, txid: string, matchAny: unknown): Record<string, unknown> {
  const { tx, height, position } = chain.txs.get(txid)!;
  const coinbase = tx.vin[0]!.coinbase !== undefined;
  const fee = feeOf(chain, tx);
  const block = height === undefined ? undefined : chain.blocks[height]!;
  return {
    txid,
    wtxid: tx.hash,
    version: Number(tx.version) >>> 0,
    locktime: Number(tx.locktime),
    size: Number(tx.size),
    stripped_size: isHogEx(tx) ? Number(tx.weight) / 4 : (Number(tx.weight) - Number(tx.size)) / 3,
    vsize: Number(tx.vsize),
    weight: Number(tx.weight),
    fee: fee === undefined ? null : coins(fee),
    fee_rate: fee === undefined ? null : feeRate(fee, BigInt(tx.weight)),
    output_value: coins(sumOutputs(tx)),
    coinbase,
    rbf_signaled: !coinbase && tx.vin.some(({ sequence }) => Number(sequence) < 0xffff_fffe),
    confirmed: height !== undefined,
    confirmations: height === undefined ? 0 : chain.height - height + 1,
    block: block ? { hash: block.hash, height, position, time: isoTime(block.time) } : null,
    first_seen: block ? null : matchAny,
    input_count: tx.vin.length,
    output_count: tx.vout.length,
    inputs: tx.vin.map((_, index) => expectedInput(chain, tx, index)),
    outputs: tx.vout.map((output, index) => expectedOutput(chain, tx, output, index)),
    next_input: null,
    next_output: null,
  };
}

/** Marker 00 and flag 08 of Litecoin's HogEx, whose extra bytes count in its size alone. */
function isHogEx({ hex }: NodeTx): boolean {
  return hex.slice(8, 12) === '0008';
}

function expectedInput(chain: NodeChain, tx: NodeTx, index: number): Record<string, unknown> {
  const input = tx.vin[index]!;
  const prevout = prevoutOf(chain, input);
  return {
    index,
    txid: input.txid ?? null,
    vout: input.vout === undefined ? null : Number(input.vout),
    coinbase: input.coinbase !== undefined,
    prevout: prevout ? { value: prevout.value, ...expectedScript(prevout.scriptPubKey) } : null,
    script_sig: input.coinbase ?? input.scriptSig!.hex,
    script_sig_asm: input.scriptSig ? asmOf(input.scriptSig) : null,
    witness: input.txinwitness ?? [],
    sequence: Number(input.sequence),
  };
}

function expectedOutput(
  chain: NodeChain,
  tx: NodeTx,
  output: NodeOutput,
  index: number,
): Record<string, unknown> {
  const { hex } = output.scriptPubKey;
  const spend = chain.spends.get(`${tx.txid}:${index}`);
  return {
    index,
    value: output.value,
    ...expectedScript(output.scriptPubKey),
    data: carriedData(hex),
    unspendable: isUnspendableHex(hex),
    spent_by: spend ? { ...spend, height: spend.height ?? null } : null,
  };
}

function expectedScript({ asm, hex, type, ...script }: NodeScript): Record<string, unknown> {
  const isShown = hex.length <= 20_000;
  const isMweb = MWEB_TYPES.has(type);
  return {
    address: isMweb ? addressFor(getHexBytes(hex)) : addressOf({ asm, hex, type, ...script }),
    script_type: YOUNGER_TYPES[hex] ?? (isMweb ? 'witness_unknown' : type),
    script: isShown ? hex : null,
    script_asm: isShown ? asmOf({ asm }) : null,
  };
}

/** Core's rule; the suites hold it against `gettxoutsetinfo` and `scantxoutset`, too. */
export function isUnspendableHex(hex: string): boolean {
  return hex.startsWith('6a') || hex.length > 20_000;
}

/** One push of 2 to 75 bytes; a single byte counts unless a shorter opcode pushes it. */
function carriedData(hex: string): string | null {
  const length = Number.parseInt(hex.slice(2, 4), 16);
  const data = hex.slice(4);
  if (!hex.startsWith('6a') || !(length >= 1 && length <= 75) || data.length !== 2 * length) return null;
  const hasOpcode = /^(0[1-9a-f]|10|81)$/.test(data);
  return hasOpcode ? null : data;
}

function feeRate(fee: bigint, weight: bigint): string {
  const thousandths = String((fee * 4_000n) / weight).padStart(4, '0');
  return `${thousandths.slice(0, -3)}.${thousandths.slice(-3)}`;
}

const ESPLORA_TYPES: Readonly<Record<string, string>> = {
  pubkey: 'p2pk',
  pubkeyhash: 'p2pkh',
  scripthash: 'p2sh',
  witness_v0_keyhash: 'v0_p2wpkh',
  witness_v0_scripthash: 'v0_p2wsh',
  witness_v1_taproot: 'v1_p2tr',
};

function nameForEsplora({ hex, type }: NodeOutput['scriptPubKey']): string {
  if (hex === '') return 'empty';
  return hex.startsWith('6a') ? 'op_return' : (ESPLORA_TYPES[type] ?? 'unknown');
}

/** What /esplora/tx must answer. Its script words are Esplora's own, so they are only required to be there. */
export function expectedEsploraTx(chain: NodeChain, txid: string, anyText: unknown): Record<string, unknown> {
  const { tx, height } = chain.txs.get(txid)!;
  const coinbase = tx.vin[0]!.coinbase !== undefined;
  const output = ({ value, scriptPubKey }: NodeOutput): Record<string, unknown> => {
    const address = addressOf(scriptPubKey);
    return {
      scriptpubkey: scriptPubKey.hex,
      scriptpubkey_asm: anyText,
      scriptpubkey_type: nameForEsplora(scriptPubKey),
      ...(address === null ? {} : { scriptpubkey_address: address }),
      value: Number(baseUnits(value)),
    };
  };
  return {
    txid,
    version: Number(tx.version) >>> 0,
    locktime: Number(tx.locktime),
    vin: tx.vin.map((input) => {
      const prevout = prevoutOf(chain, input);
      return {
        txid: input.txid ?? '0'.repeat(64),
        vout: coinbase ? 0xffff_ffff : Number(input.vout),
        prevout: prevout ? output(prevout) : null,
        scriptsig: input.coinbase ?? input.scriptSig!.hex,
        scriptsig_asm: anyText,
        ...(input.txinwitness ? { witness: input.txinwitness } : {}),
        is_coinbase: coinbase,
        sequence: Number(input.sequence),
        ...(prevout ? expectInnerScripts(input, prevout.scriptPubKey.type, anyText) : {}),
      };
    }),
    vout: tx.vout.map(output),
    size: Number(tx.size),
    weight: Number(tx.weight),
    fee: Number(feeOf(chain, tx) ?? 0n),
    status: expectedEsploraStatus(chain, height),
  };
}

/** Behind the hash of P2SH is the last push of scriptSig, behind that of P2WSH the last item of the witness. */
function expectInnerScripts(
  { scriptSig }: NodeInput,
  type: string,
  anyText: unknown,
): Record<string, unknown> {
  const isWrapped = type === 'scripthash';
  const redeem = scriptSig?.asm.split(' ').at(-1) ?? '';
  const isWitnessScript = isWrapped ? /^0020[0-9a-f]{64}$/.test(redeem) : type === 'witness_v0_scripthash';
  return {
    ...(isWrapped ? { inner_redeemscript_asm: anyText } : {}),
    ...(isWitnessScript ? { inner_witnessscript_asm: anyText } : {}),
  };
}

/** Esplora's `status` of what is at a height, or in the mempool. */
export function expectedEsploraStatus(chain: NodeChain, height: number | undefined): Record<string, unknown> {
  if (height === undefined) return { confirmed: false };
  const { hash, time } = chain.blocks[height]!;
  return { confirmed: true, block_height: height, block_hash: hash, block_time: Number(time) };
}
