import { getHexBytes } from '../../bytes.ts';
import { nameCommitment } from '../../names/name-commitment.ts';
import { encodeNameOperation, type NameOperation } from '../../names/name-operation.ts';
import { FEE_SCRIPT, nameContext } from '../protocol-rules.ts';
import { carrierOutput, type Owner, shapedTransaction } from '../spends.ts';
import type { ScriptedTransaction } from './chain-vector.ts';

/** The salt of every commitment of the vectors. */
export const SALT: Uint8Array = getHexBytes('000102030405060708090a0b0c0d0e0f');

type Options = { paid?: bigint; to?: Uint8Array };

/** Makes transactions of names for a vector, each another one. `recipient` is paid by output 1 unless a step says who. */
export function createNameSteps(recipient: Uint8Array) {
  let nonce = 0;
  return {
    /** Output 0 carries, output 1 pays the recipient, output 2 the fee. */
    step(
      about: string,
      owner: Owner,
      operation: NameOperation | Uint8Array,
      expect: string | null,
      { paid = 0n, to = recipient }: Options = {},
    ): ScriptedTransaction {
      nonce += 1;
      const payload =
        operation instanceof Uint8Array
          ? operation
          : encodeNameOperation(operation, nameContext.rules.marker);
      const outputs = [
        carrierOutput(payload),
        { value: 1000n, script: to },
        { value: paid, script: FEE_SCRIPT },
      ];
      const tx = shapedTransaction(owner.spend(), outputs, nonce);
      return { about, tx, prevoutScript: owner.script, expect };
    },
    commit(owner: Owner, name: string): NameOperation {
      const parts = { ownerScript: owner.script, salt: SALT, name };
      return { kind: 'commit', commitment: nameCommitment(parts, nameContext.genesisPrefix) };
    },
    register: (name: string, periods = 1): NameOperation => ({ kind: 'register', periods, salt: SALT, name }),
    renew: (name: string, periods: number): NameOperation => ({ kind: 'renew', periods, name }),
    transfer: (name: string, toVout = 1): NameOperation => ({ kind: 'transfer', toVout, name }),
    reverse: (name: string): NameOperation => ({ kind: 'reverse', name }),
    records: (name: string, hash: Uint8Array): NameOperation => ({ kind: 'records', hash, name }),
  };
}
