import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import { buildCarrier, readCarrier } from '@coinfront/protocol/carrier.ts';
import { classifyScript, disassembleScript, isUnspendable } from '@coinfront/protocol/script.ts';
import { bitcoin, dogecoin } from '@coinfront/protocol/testing/profiles.ts';
import { allOwners } from '@coinfront/protocol/testing/spends.ts';
import { describeInnerScripts } from '../../service/src/parts/esplora/inner-scripts.ts';
import { disassembleForEsplora } from '../../service/src/parts/esplora/script-asm.ts';
import { demand, type FuzzTarget, hex, join } from '../target.ts';

/** A scriptPubKey or scriptSig. */
export const scriptTarget: FuzzTarget = {
  name: 'script',
  reads: 'scripts: their kind, address, words, what a data carrier carries',
  form: 'bytes',
  maxBytes: 2_048,
  seeds: [
    ...allOwners(2).map(({ script }) => script),
    hex('6a0401020304'),
    hex(`6a4c50${'ab'.repeat(80)}`),
    hex('51024e73'),
    hex(`5121${'02'.repeat(33)}51ae`),
    hex(`4d0300${'01'.repeat(3)}4e05000000${'02'.repeat(5)}`),
  ],
  check(input) {
    const { kind } = classifyScript(input);
    isUnspendable(input);
    disassembleScript(input, { showSighash: true });
    disassembleForEsplora(input);
    describeInnerScripts({ scriptSig: input, witness: [input] }, hex(`a914${'00'.repeat(20)}87`));
    for (const profile of [bitcoin, dogecoin]) {
      const address = encodeAddress(input, profile);
      if (address === undefined) continue;
      const decoded = decodeAddress(address, profile);
      demand(
        decoded.ok && decoded.value.kind === kind && Buffer.from(decoded.value.script).equals(input),
        'an address leads back to its script',
      );
    }
    const payload = readCarrier(input);
    if (payload !== undefined && payload.length >= 2)
      demand(Buffer.from(buildCarrier(payload)).equals(input), 'a payload has one carrier');
  },
  growing: {
    opcodes: (bytes) => new Uint8Array(bytes).fill(0xac),
    'empty pushes': (bytes) => new Uint8Array(bytes),
    'pushes of one byte': (bytes) => new Uint8Array(bytes).fill(1),
    'one push': (bytes) => join(0x4e, lengthOf(bytes), new Uint8Array(bytes)),
    'keys of a multisig': (bytes) =>
      Uint8Array.from(Buffer.from(`51${`21${'02'.repeat(33)}`.repeat(Math.ceil(bytes / 34))}51ae`, 'hex')),
  },
};

function lengthOf(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}
