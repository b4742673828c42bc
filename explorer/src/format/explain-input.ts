/** How an input spends what it spends: the scripts that it shows, and which way of a taproot output it takes. */

import type { TxInputJson } from '@coinfront/api/chain-transactions.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { classifyScript, disassembleScript } from '@coinfront/protocol/script.ts';
import { findLastPush } from '@coinfront/protocol/script-ops.ts';
import { t } from '../language/messages.ts';
import { explainScript } from './explain-script.ts';
import { formatCount, formatCountOf } from './number.ts';
import type { Zone } from './time.ts';

/** Of longer scripts only the length is told. */
const MOST_HEX_DIGITS = 20_000;
const ANNEX = '50';
const CONTROL_BYTES = 33;
/** BIP-342, in a control block without the bit of the output key's parity. */
const TAPSCRIPT = 0xc0;
const PARITY = 1;
const NODE_BYTES = 32;
const MOST_DEPTH = 128;

/** A script that an input shows. */
export type ShownScript = { name: string; asm: string | undefined; sentences: string[] };

/** What is to be said of an input. */
export type InputExplanation = { sentences: string[]; scripts: ShownScript[] };

/** Explains an input; nothing where it only signs, or where its witness is not all there. @param zone that times are written in */
export function explainInput(
  { prevout, script_sig: scriptSig, witness, witness_count: more }: TxInputJson,
  zone: Zone,
): InputExplanation {
  const nothing = { sentences: [], scripts: [] };
  if (prevout?.script == null || more !== undefined || scriptSig.length > MOST_HEX_DIGITS) return nothing;
  const spent = getHexBytes(prevout.script);
  const kind = classifyScript(spent).kind;
  if (kind === 'p2tr') return explainTaproot(witness, zone);
  if (kind === 'multisig' || kind === 'nonstandard')
    return { sentences: [], scripts: [{ name: t('Script of the output'), ...describe(spent, zone) }] };
  const redeem = kind === 'p2sh' ? findLastPush(getHexBytes(scriptSig)) : undefined;
  const inner = redeem === undefined ? kind : classifyScript(redeem).kind;
  const scripts: ShownScript[] = [];
  if (redeem !== undefined && inner !== 'p2wpkh' && inner !== 'p2wsh')
    scripts.push({ name: t('Redeem script'), ...describe(redeem, zone) });
  const last = witness.at(-1);
  if (inner === 'p2wsh' && last !== undefined) scripts.push(showHex(t('Witness script'), last, zone));
  const isWrapped = redeem !== undefined && inner.startsWith('p2w');
  return { sentences: isWrapped ? [t('Segwit within P2SH.')] : [], scripts };
}

/** BIP-341: one item is a signature; of several the last two are a script and the proof that the output has it. */
function explainTaproot(witness: readonly string[], zone: Zone): InputExplanation {
  const hasAnnex = witness.length > 1 && witness.at(-1)!.startsWith(ANNEX);
  const items = hasAnnex ? witness.slice(0, -1) : witness;
  const annex = hasAnnex
    ? [t('It has an annex of {count} bytes.', { count: formatCount(witness.at(-1)!.length / 2) })]
    : [];
  if (items.length === 1)
    return {
      sentences: [t('Taproot key path: one signature. Whether there are scripts is not shown.'), ...annex],
      scripts: [],
    };
  if (items.length < 2) return { sentences: annex, scripts: [] };
  const depth = (items.at(-1)!.length / 2 - CONTROL_BYTES) / NODE_BYTES;
  // Where taproot is not active yet, nodes look at none of it.
  if (!Number.isInteger(depth) || depth < 0 || depth > MOST_DEPTH) return { sentences: [], scripts: [] };
  const place =
    depth === 0
      ? t('the only one')
      : t('{levels} deep in its tree', { levels: formatCountOf(depth, 'level') });
  const version = Number.parseInt(items.at(-1)!.slice(0, 2), 16) & ~PARITY;
  const sentences = [
    t('Taproot script path: by one of the scripts of the output, {place}.', { place }),
    ...annex,
  ];
  if (version !== TAPSCRIPT) {
    sentences.push(
      t('The leaf version is 0x{version}, for which nodes have no rules yet: anybody can spend by it.', {
        version: version.toString(16),
      }),
    );
    return { sentences, scripts: [] };
  }
  return { sentences, scripts: [showHex(t('Tapscript'), items.at(-2)!, zone)] };
}

function showHex(name: string, hex: string, zone: Zone): ShownScript {
  if (hex.length > MOST_HEX_DIGITS)
    return {
      name,
      asm: undefined,
      sentences: [
        t('A script of {count} bytes, too long to be explained.', { count: formatCount(hex.length / 2) }),
      ],
    };
  return { name, ...describe(getHexBytes(hex), zone) };
}

function describe(script: Uint8Array, zone: Zone): Omit<ShownScript, 'name'> {
  return { asm: disassembleScript(script), sentences: explainScript(script, zone) };
}
