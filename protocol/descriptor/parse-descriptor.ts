/**
 * Reads output descriptors of wallets: one extended public key, or several in a multisig, whose last step is `/*` (BIP-380 to 383,
 * 386; `<0;1>` of BIP-389). Anything else that descriptors can say is refused by name.
 */

import { fail, ok, type Result } from '../result.ts';
import { checksumOfDescriptor } from './descriptor-checksum.ts';

/** What wraps the keys, from the outside. */
export type DescriptorForm =
  | 'pkh'
  | 'wpkh'
  | 'sh(wpkh)'
  | 'tr'
  | 'sh(multi)'
  | 'wsh(multi)'
  | 'sh(wsh(multi))';

/** An extended public key with the steps that lead from it to the index. */
export type DescriptorKey = {
  /** Base58check, not looked into yet. */
  readonly extendedKey: string;
  /** For each branch the steps before the index; none hardened. */
  readonly branches: readonly (readonly number[])[];
};

export type Descriptor = {
  readonly form: DescriptorForm;
  readonly keys: readonly DescriptorKey[];
  /** Signatures that are needed of a multisig; 1 of a single key. */
  readonly threshold: number;
  /** BIP-383: whether the keys of a multisig are ordered by their bytes. */
  readonly isSorted: boolean;
  /** How many branches its keys have: 2 with `<0;1>`, 1 without. */
  readonly branchCount: number;
};

const FORMS: Readonly<Record<string, DescriptorForm>> = {
  'pkh(': 'pkh',
  'wpkh(': 'wpkh',
  'sh(wpkh(': 'sh(wpkh)',
  'tr(': 'tr',
  'sh(multi(': 'sh(multi)',
  'wsh(multi(': 'wsh(multi)',
  'sh(wsh(multi(': 'sh(wsh(multi))',
};
const CHECKSUM = /#([a-z0-9]*)$/;
const WRAPPED = /^((?:[a-z]+\()+)([^()]*)(\)+)$/;
const KEY =
  /^(?:\[[0-9a-fA-F]{8}(?:\/[0-9]{1,10}['h]?)*\])?([1-9A-HJ-NP-Za-km-z]{100,120})((?:\/(?:[0-9]{1,10}|<[0-9;]{1,60}>))*)\/\*$/;
const MAX_INDEX = 0x7fffffff;
const MAX_STEPS = 8;
/** What a script of legacy P2SH has room for (520 bytes), and what one of P2WSH may check. */
const MAX_KEYS = { 'sh(multi)': 15, 'wsh(multi)': 20, 'sh(wsh(multi))': 20 } as const;

/** Reads an untrusted descriptor. A reason never repeats what was given: it may hold what its owner would not show. */
export function parseDescriptor(text: string): Result<Descriptor> {
  const [marked = '', checksum] = CHECKSUM.exec(text) ?? [];
  const body = text.slice(0, text.length - marked.length);
  if (checksum !== undefined && checksum !== checksumOfDescriptor(body))
    return fail('its checksum does not fit, so a character is wrong');
  const [, opened, inside, closed] = WRAPPED.exec(body) ?? [];
  if (opened === undefined || inside === undefined || closed?.length !== opened.split('(').length - 1)
    return fail('its brackets do not match, or it has none');
  const isSorted = opened.endsWith('sortedmulti(');
  const form = FORMS[opened.replace('sortedmulti(', 'multi(')];
  if (form === undefined)
    return fail('only pkh, wpkh, sh(wpkh), tr, and multi or sortedmulti in sh, wsh, sh(wsh) are read');
  return form.includes('multi') ? parseMultisig(form, isSorted, inside) : parseSingle(form, inside);
}

function parseSingle(form: DescriptorForm, inside: string): Result<Descriptor> {
  const key = parseKey(inside);
  if (!key.ok) return key;
  const branchCount = key.value.branches.length;
  return ok({ form, keys: [key.value], threshold: 1, isSorted: false, branchCount });
}

function parseMultisig(form: DescriptorForm, isSorted: boolean, inside: string): Result<Descriptor> {
  const [first = '', ...rest] = inside.split(',');
  const threshold = /^[1-9][0-9]?$/.test(first) ? Number(first) : 0;
  const most = MAX_KEYS[form as keyof typeof MAX_KEYS];
  if (rest.length === 0 || rest.length > most) return fail(`a multisig of this kind has 1 to ${most} keys`);
  if (threshold < 1 || threshold > rest.length)
    return fail('the signatures that are needed have to be from 1 to the number of keys');
  const keys: DescriptorKey[] = [];
  for (const part of rest) {
    const key = parseKey(part);
    if (!key.ok) return key;
    keys.push(key.value);
  }
  const branchCount = Math.max(...keys.map(({ branches }) => branches.length));
  if (keys.some(({ branches }) => branches.length !== 1 && branches.length !== branchCount))
    return fail('all of its <…;…> need as many parts');
  return ok({ form, keys, threshold, isSorted, branchCount });
}

function parseKey(text: string): Result<DescriptorKey> {
  const [, extendedKey, steps] = KEY.exec(text) ?? [];
  if (extendedKey === undefined || steps === undefined)
    return fail(
      'a key has to be an extended public key with a path that ends in /* and has no hardened step',
    );
  const parts = steps.split('/').slice(1);
  if (parts.length > MAX_STEPS) return fail(`a path has ${MAX_STEPS} steps at most`);
  const lists = parts.map((part) =>
    (part.startsWith('<') ? part.slice(1, -1).split(';') : [part]).map((number) =>
      number === '' ? Number.NaN : Number(number),
    ),
  );
  const several = lists.filter((list) => list.length > 1);
  if (several.length > 1) return fail('a path has <…;…> once at most');
  const count = several[0]?.length ?? 1;
  if (count > 2 || lists.some((list, i) => list.length === 1 && parts[i]!.startsWith('<')))
    return fail('a <…;…> has to have two parts: receiving and change');
  if (lists.flat().some((number) => !(number <= MAX_INDEX))) return fail('a step is 0 to 2147483647');
  if (several[0] && several[0][0] === several[0][1]) return fail('the parts of a <…;…> have to differ');
  const branches = Array.from({ length: count }, (_, i) => lists.map((list) => list[i] ?? list[0]!));
  return ok({ extendedKey, branches });
}
