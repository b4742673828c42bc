import { classifyScript } from '@coinfront/protocol/script.ts';
import { findLastPush } from '@coinfront/protocol/script-ops.ts';
import type { TxInput } from '@coinfront/protocol/transaction.ts';
import { disassembleForEsplora } from './script-asm.ts';

/** The scripts behind a hash that an input shows, in words; each only where there is one. */
export type InnerScripts = { inner_redeemscript_asm?: string; inner_witnessscript_asm?: string };

/** Finds what is behind the P2SH and P2WSH hashes of the output that an input spends. */
export function describeInnerScripts(
  { scriptSig, witness }: Pick<TxInput, 'scriptSig' | 'witness'>,
  spentScript: Uint8Array,
): InnerScripts {
  const redeem = classifyScript(spentScript).kind === 'p2sh' ? findLastPush(scriptSig) : undefined;
  const inner = classifyScript(redeem ?? spentScript).kind === 'p2wsh' ? witness.at(-1) : undefined;
  return {
    ...(redeem === undefined ? {} : { inner_redeemscript_asm: disassembleForEsplora(redeem) }),
    ...(inner === undefined ? {} : { inner_witnessscript_asm: disassembleForEsplora(inner) }),
  };
}
