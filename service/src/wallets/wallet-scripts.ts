/** The scripts of a wallet that is given by its public keys: an extended key or a descriptor. */

import type { DerivedScriptType } from '@coinfront/api/merchants.ts';
import { compareBytes } from '@coinfront/protocol/bytes.ts';
import {
  type Descriptor,
  type DescriptorForm,
  type DescriptorKey,
  parseDescriptor,
} from '@coinfront/protocol/descriptor/parse-descriptor.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { HDKey } from '@scure/bip32';
import { parseAccountKey } from './account-key.ts';
import { multisigScript, scriptOfKey, wrapScript } from './output-scripts.ts';

/** One chain of scripts. */
export type WalletBranch = {
  /** Steps below the key that was given, with `*` for the index; of several keys those of the first. */
  readonly path: string;
  scriptAt(index: number): Uint8Array;
};

/** A wallet: receiving addresses first, change second where it has both. */
export type WalletScripts = { readonly kind: WalletKind; readonly branches: readonly WalletBranch[] };

/** What its scripts are. */
export type WalletKind = DerivedScriptType | 'p2sh-multisig' | 'p2wsh-multisig' | 'p2sh-p2wsh-multisig';

const SINGLE: Readonly<Partial<Record<DescriptorForm, DerivedScriptType>>> = {
  pkh: 'p2pkh',
  wpkh: 'p2wpkh',
  'sh(wpkh)': 'p2sh-p2wpkh',
  tr: 'p2tr',
};
const MULTI: Readonly<Partial<Record<DescriptorForm, 'p2sh' | 'p2wsh' | 'p2sh-p2wsh'>>> = {
  'sh(multi)': 'p2sh',
  'wsh(multi)': 'p2wsh',
  'sh(wsh(multi))': 'p2sh-p2wsh',
};
/** BIP-44: receiving and change. */
const BRANCHES = [0, 1] as const;

/**
 * Reads an untrusted extended public key or descriptor. A reason never repeats what was given.
 *
 * @param wanted the kind of addresses, of an extended key whose version does not say it
 */
export function readWalletScripts(
  text: string,
  wanted: DerivedScriptType | undefined,
  profile: CoinProfile,
): Result<WalletScripts> {
  if (!text.includes('(')) return readAccount(text, wanted, profile);
  if (wanted !== undefined) return fail('a descriptor says the kind of its addresses by itself');
  const descriptor = parseDescriptor(text);
  return descriptor.ok ? deriveDescriptor(descriptor.value, profile) : descriptor;
}

function readAccount(
  text: string,
  wanted: DerivedScriptType | undefined,
  profile: CoinProfile,
): Result<WalletScripts> {
  const key = parseAccountKey(text, wanted, profile);
  if (!key.ok) return fail(key.problem.kind === 'private' ? 'it is a private key' : key.problem.reason);
  const { node, scriptType } = key.value;
  const branches = BRANCHES.map((branch): WalletBranch => {
    const parent = once(() => node.deriveChild(branch));
    return {
      path: `${branch}/*`,
      scriptAt: (index) => scriptOfKey(parent().deriveChild(index).publicKey!, scriptType),
    };
  });
  return ok({ kind: scriptType, branches });
}

function deriveDescriptor(
  { form, keys, threshold, isSorted, branchCount }: Descriptor,
  profile: CoinProfile,
): Result<WalletScripts> {
  const single = SINGLE[form];
  const wrapping = MULTI[form];
  const hasSegwit = profile.address.bech32Hrp !== undefined;
  if (!hasSegwit && form !== 'pkh' && form !== 'sh(multi)') return fail(`${profile.name} has no segwit`);
  const nodes: HDKey[] = [];
  for (const { extendedKey, branches: steps } of keys) {
    const deepest = 1 + Math.max(...steps.map(({ length }) => length));
    const key = parseAccountKey(extendedKey, 'p2pkh', profile, deepest);
    if (!key.ok) return fail(key.problem.kind === 'private' ? 'it holds a private key' : key.problem.reason);
    nodes.push(key.value.node);
  }
  const branches = Array.from({ length: branchCount }, (_, branch): WalletBranch => {
    const parents = once(() => keys.map((key, i) => stepsOf(key, branch).reduce(deriveStep, nodes[i]!)));
    const keysAt = (index: number) => parents().map((parent) => parent.deriveChild(index).publicKey!);
    return {
      path: [...stepsOf(keys[0]!, branch), '*'].join('/'),
      scriptAt: (index) =>
        single === undefined
          ? wrapScript(multisigScript(threshold, order(keysAt(index), isSorted)), wrapping!)
          : scriptOfKey(keysAt(index)[0]!, single),
    };
  });
  return ok({ kind: single ?? `${wrapping!}-multisig`, branches });
}

/** Steps take the thread a millisecond each: those of a branch are taken with its first script, for which its reader gives way to others. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const deriveStep = (node: HDKey, step: number): HDKey => node.deriveChild(step);

/** A key without `<…;…>` has the same steps in each branch. */
function stepsOf({ branches }: DescriptorKey, branch: number): readonly number[] {
  return branches[branch] ?? branches[0]!;
}

function order(publicKeys: Uint8Array[], isSorted: boolean): Uint8Array[] {
  return isSorted ? publicKeys.toSorted(compareBytes) : publicKeys;
}
