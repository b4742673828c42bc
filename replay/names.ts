import { concat, fromAscii, fromHex, sha256, toHex } from './bytes.ts';
import { createFields, demand, findRecipient, Invalid, sumPaid } from './carrier.ts';
import { event, int, type Row, scriptHash, text } from './encoding.ts';
import { findRow, type NameRules } from './profile.ts';
import type { CreateProtocol, GivenRow, Operation } from './protocol.ts';

type NameRecord = {
  readonly owner: Uint8Array;
  readonly registeredAt: number;
  /** The first height at which it no longer is the owner's. */
  readonly expiry: number;
};

const COMMITMENT_TAG = fromAscii('VNS1');
const LONGEST_NAME = 49;
const LONGEST_LABEL = 32;

/** `docs/protocols/names.md`. */
export const createNames: CreateProtocol<NameRules> = (rules, { genesisPrefix, journal }) => {
  const commitments = journal.createTable<number>();
  const names = journal.createTable<NameRecord>();
  /** Names that scripts are shown with, by the hash of the script. */
  const shown = journal.createTable<string>();

  /** Hashes of the documents of names. */
  const documents = journal.createTable<Uint8Array>();

  /** Whoever had a name no longer has: he is not shown with it, and its document was his. */
  function forgetWords(name: string, owner: Uint8Array): void {
    documents.set(name, undefined);
    const key = toHex(scriptHash(owner));
    if (shown.get(key) === name) shown.set(key, undefined);
  }

  function commit({ payload, sender, height, index, tx }: Operation): Uint8Array {
    const fields = createFields(payload, 5);
    const commitment = fields.bytes(32);
    fields.end();
    const key = toHex(commitment);
    const known = commitments.get(key);
    const from = known !== undefined && height - known <= rules.commitLifetime ? known : height;
    commitments.set(key, from);
    return event(index, tx.txid, 1, scriptHash(sender), commitment, int(from));
  }

  function register({ payload, sender, outputs, height, index, tx }: Operation): Uint8Array {
    const fields = createFields(payload, 5);
    const [periods, salt, bytes] = [fields.byte(), fields.bytes(16), fields.rest()];
    const { name, label } = readName(bytes, rules);
    demand(periods >= 1, 'periods_zero');
    demand(periods <= rules.maxPeriods, 'periods_too_many');
    const key = toHex(findCommitment(sender, salt, bytes, genesisPrefix));
    const from = commitments.get(key);
    demand(from !== undefined, 'commit_missing');
    demand(height - from >= rules.commitMaturity, 'commit_immature');
    demand(height - from <= rules.commitLifetime, 'commit_expired');
    const known = names.get(name);
    demand(known === undefined || height >= known.expiry, 'name_taken');
    demand(known === undefined || height >= known.expiry + rules.grace, 'name_in_grace');
    const premium = known ? findPremium(rules, known.expiry, height) : 0n;
    const price = findPrice(rules, label.length, height) * BigInt(periods) + premium;
    demand(sumPaid(outputs, rules.feeScript) >= price, 'fee_too_low');
    const expiry = height + periods * rules.period;
    commitments.set(key, undefined);
    if (known) forgetWords(name, known.owner);
    names.set(name, { owner: sender, registeredAt: height, expiry });
    return event(index, tx.txid, 2, scriptHash(sender), text(name), int(periods), int(expiry));
  }

  function transfer({ payload, sender, outputs, height, index, tx }: Operation): Uint8Array {
    const fields = createFields(payload, 5);
    const [vout, bytes] = [fields.byte(), fields.rest()];
    const { name } = readName(bytes, rules);
    const known = names.get(name);
    demand(known !== undefined, 'name_not_registered');
    demand(height < known.expiry, 'name_expired');
    demand(toHex(known.owner) === toHex(sender), 'not_owner');
    const owner = findRecipient(outputs, vout);
    if (toHex(owner) !== toHex(known.owner)) forgetWords(name, known.owner);
    names.set(name, { ...known, owner });
    return event(index, tx.txid, 3, scriptHash(sender), text(name), scriptHash(owner));
  }

  function renew({ payload, sender, outputs, height, index, tx }: Operation): Uint8Array {
    const fields = createFields(payload, 5);
    const [periods, bytes] = [fields.byte(), fields.rest()];
    const { name, label } = readName(bytes, rules);
    demand(periods >= 1, 'periods_zero');
    const known = names.get(name);
    demand(known !== undefined, 'name_not_registered');
    demand(height < known.expiry + rules.grace, 'name_lapsed');
    const expiry = known.expiry + periods * rules.period;
    demand(expiry <= height + rules.maxPeriods * rules.period, 'periods_too_many');
    const price = findPrice(rules, label.length, height) * BigInt(periods);
    demand(sumPaid(outputs, rules.feeScript) >= price, 'fee_too_low');
    names.set(name, { ...known, expiry });
    return event(index, tx.txid, 4, scriptHash(sender), text(name), int(periods), int(expiry));
  }

  function show({ payload, sender, height, index, tx }: Operation): Uint8Array {
    demand(rules.reverseFrom !== undefined && height >= rules.reverseFrom, 'unknown_opcode');
    const bytes = createFields(payload, 5).rest();
    const name = bytes.length === 0 ? undefined : readName(bytes, rules).name;
    if (name !== undefined) demandOwner(name, sender, height);
    shown.set(toHex(scriptHash(sender)), name);
    return event(index, tx.txid, 5, scriptHash(sender), text(name ?? ''));
  }

  function describe({ payload, sender, height, index, tx }: Operation): Uint8Array {
    demand(rules.recordsFrom !== undefined && height >= rules.recordsFrom, 'unknown_opcode');
    const fields = createFields(payload, 5);
    const [hash, bytes] = [fields.bytes(32), fields.rest()];
    const { name } = readName(bytes, rules);
    demandOwner(name, sender, height);
    documents.set(name, toHex(hash) === '00'.repeat(32) ? undefined : hash);
    return event(index, tx.txid, 6, scriptHash(sender), text(name), hash);
  }

  function demandOwner(name: string, sender: Uint8Array, height: number): void {
    const known = names.get(name);
    demand(known !== undefined, 'name_not_registered');
    demand(height < known.expiry, 'name_expired');
    demand(toHex(known.owner) === toHex(sender), 'not_owner');
  }

  function putRow({ kind, key, value, script }: GivenRow): void {
    const fields = createFields(value, 0);
    if (kind === 1) {
      demand(script !== undefined, 'script_missing');
      fields.bytes(32);
      const [registeredAt, expiry] = [Number(fields.integer()), Number(fields.integer())];
      names.set(readName(key, rules).name, { owner: script, registeredAt, expiry });
    } else if (kind === 2) {
      commitments.set(toHex(key), Number(fields.integer()));
    } else if (kind === 3) {
      shown.set(toHex(key), readName(fields.bytes(Number(fields.integer())), rules).name);
    } else {
      demand(kind === 4, 'row_form');
      documents.set(readName(key, rules).name, fields.bytes(32));
    }
    fields.end();
  }

  const operations: Record<number, (operation: Operation) => Uint8Array> = {
    1: commit,
    2: register,
    3: transfer,
    4: renew,
    5: show,
    6: describe,
  };
  return {
    marker: rules.marker,
    activationHeight: rules.activationHeight,
    apply(operation) {
      const apply = operations[createFields(operation.payload, 4).byte()];
      if (apply === undefined) throw new Invalid('unknown_opcode');
      return apply(operation);
    },
    putRow,
    listRows(height) {
      const rows: Row[] = [];
      for (const [name, { owner, registeredAt, expiry }] of names.entries()) {
        if (height + 1 >= expiry + rules.grace + rules.premium) continue;
        const value = concat(scriptHash(owner), int(registeredAt), int(expiry));
        rows.push({ kind: 1, key: fromAscii(name), value });
      }
      for (const [commitment, from] of commitments.entries()) {
        if (height + 1 - from > rules.commitLifetime) continue;
        rows.push({ kind: 2, key: new Uint8Array(Buffer.from(commitment, 'hex')), value: int(from) });
      }
      for (const [script, name] of shown.entries()) {
        if (height + 1 >= names.get(name)!.expiry + rules.grace) continue;
        rows.push({ kind: 3, key: fromHex(script), value: text(name) });
      }
      for (const [name, hash] of documents.entries()) {
        if (height + 1 >= names.get(name)!.expiry + rules.grace) continue;
        rows.push({ kind: 4, key: fromAscii(name), value: hash });
      }
      return rows;
    },
  };
};

/** The commitment to a name by its owner-to-be. */
export function findCommitment(
  owner: Uint8Array,
  salt: Uint8Array,
  name: Uint8Array,
  genesisPrefix: Uint8Array,
): Uint8Array {
  return sha256(COMMITMENT_TAG, genesisPrefix, scriptHash(owner), salt, name);
}

/** Reads a name. @throws Invalid unless it is canonical. */
export function readName(bytes: Uint8Array, rules: NameRules): { name: string; label: string } {
  demand(bytes.length <= LONGEST_NAME, 'name_too_long');
  const name = Buffer.from(bytes).toString('latin1');
  const [label, tld, ...more] = name.split('.');
  demand(label !== undefined && tld !== undefined && more.length === 0, 'name_form');
  demand(rules.tlds.includes(tld), 'name_tld');
  demand(label.length >= rules.minLabelLength && label.length <= LONGEST_LABEL, 'label_length');
  demand(/^[a-z0-9-]+$/.test(label), 'label_characters');
  demand(!/^-|-$|^..--/.test(label), 'label_hyphens');
  return { name, label };
}

/** What a period costs. */
export function findPrice(rules: NameRules, labelLength: number, height: number): bigint {
  const entry = findRow(rules.prices, height).byLength.find(({ maxLength }) => maxLength >= labelLength);
  if (entry === undefined) throw new Error(`the profile has no price for ${labelLength} characters`);
  return entry.price;
}

/** What a name costs more that was registered before. */
export function findPremium(rules: NameRules, expiry: number, height: number): bigint {
  const left = Math.max(0, expiry + rules.grace + rules.premium - height);
  return left === 0 ? 0n : (rules.premiumStart * BigInt(left)) / BigInt(rules.premium);
}
