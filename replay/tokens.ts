import type { Block } from './block.ts';
import { concat, fromAscii, sha256, toHex } from './bytes.ts';
import {
  createFields,
  demand,
  type Fields,
  findRecipient,
  Invalid,
  listPayloads,
  sumPaid,
} from './carrier.ts';
import { event, int, type Row, scriptHash, u8 } from './encoding.ts';
import { findRow, type TokenRules } from './profile.ts';
import type { CreateProtocol, GivenRow, Operation } from './protocol.ts';
import type { Input } from './transaction.ts';

type Token = {
  readonly issuer: Uint8Array;
  readonly createdAt: number;
  /** Index of its transaction in that block. */
  readonly index: number;
  /** The fields of its CREATE behind the opcode. */
  readonly terms: Uint8Array;
  readonly cap: bigint;
  readonly isOpen: boolean;
  readonly minted: bigint;
  readonly burned: bigint;
};

const ID_TAG = fromAscii('VTK1');
const MOST = 2n ** 63n - 1n;
const MOST_DECIMALS = 18;
const [MINTABLE, HAS_CAP, HAS_METADATA] = [1, 2, 4];
const CLOSES = 1;
const MOST_SWEPT = 32;

/** `docs/protocols/tokens.md`. */
export const createTokens: CreateProtocol<TokenRules> = (rules, { genesisPrefix, journal }) => {
  const tokens = journal.createTable<Token>();
  /** By token and hash of the holder's script. */
  const balances = journal.createTable<bigint>();
  /** Tokens that a holder ever had, by hash of its script; a block that is undone may leave too many. */
  const everHeld = new Map<string, Set<string>>();

  const keyOf = (id: Uint8Array, holder: Uint8Array): string => toHex(id) + toHex(scriptHash(holder));
  const balanceOf = (id: Uint8Array, holder: Uint8Array): bigint => balances.get(keyOf(id, holder)) ?? 0n;
  const add = (id: Uint8Array, holder: Uint8Array, amount: bigint): void => {
    const balance = balanceOf(id, holder) + amount;
    balances.set(keyOf(id, holder), balance === 0n ? undefined : balance);
    noteHolder(toHex(scriptHash(holder)), toHex(id));
  };
  const noteHolder = (holder: string, id: string): void => {
    everHeld.set(holder, (everHeld.get(holder) ?? new Set()).add(id));
  };
  const getToken = (id: Uint8Array): Token => {
    const token = tokens.get(toHex(id));
    demand(token !== undefined, 'token_unknown');
    return token;
  };

  function create({ payload, sender, outputs, height, index, tx }: Operation): Uint8Array {
    const { premine, cap, isMintable, terms } = readTerms(payload);
    demand(premine <= cap, 'premine_above_cap');
    demand(isMintable || premine > 0n, 'premine_zero');
    demand(sumPaid(outputs, rules.feeScript) >= findRow(rules.fees, height).fee, 'fee_too_low');
    const id = findTokenId(tx.inputs[0]!, payload, genesisPrefix);
    tokens.set(toHex(id), {
      ...{ issuer: sender, createdAt: height, index, terms, cap },
      ...{ isOpen: isMintable, minted: premine, burned: 0n },
    });
    add(id, sender, premine);
    return event(index, tx.txid, 1, scriptHash(sender), id, terms);
  }

  function mint({ payload, sender, outputs, index, tx }: Operation): Uint8Array {
    const fields = createFields(payload, 5);
    const [id, flags, vout, amount] = [fields.bytes(32), fields.byte(), fields.byte(), fields.integer()];
    fields.end();
    demand((flags & ~CLOSES) === 0, 'unknown_flags');
    const closes = flags === CLOSES;
    demand(amount > 0n || closes, 'amount_zero');
    const recipient = findRecipient(outputs, vout);
    const token = getToken(id);
    demand(toHex(token.issuer) === toHex(sender), 'not_issuer');
    demand(token.isOpen, 'minting_closed');
    demand(token.minted + amount <= token.cap, 'cap_exceeded');
    tokens.set(toHex(id), { ...token, minted: token.minted + amount, isOpen: !closes });
    add(id, recipient, amount);
    const fieldsOfEvent = [id, u8(flags), scriptHash(recipient), int(amount)];
    return event(index, tx.txid, 2, scriptHash(sender), ...fieldsOfEvent);
  }

  function transfer({ payload, sender, outputs, index, tx }: Operation): Uint8Array {
    const fields = createFields(payload, 5);
    const id = fields.bytes(32);
    const shares = Array.from({ length: fields.byte() }, () => ({
      vout: fields.byte(),
      amount: fields.integer(),
    }));
    fields.end();
    demand(shares.length > 0, 'shares_none');
    const named = new Set<number>();
    /** What each script is given, in the order in which scripts are named first. */
    const given = new Map<string, { script: Uint8Array; amount: bigint }>();
    for (const { vout, amount } of shares) {
      demand(amount > 0n, 'amount_zero');
      demand(!named.has(vout), 'output_repeated');
      named.add(vout);
      const script = findRecipient(outputs, vout);
      const before = given.get(toHex(script))?.amount ?? 0n;
      given.set(toHex(script), { script, amount: before + amount });
    }
    getToken(id);
    const sum = shares.reduce((total, { amount }) => total + amount, 0n);
    demand(sum <= balanceOf(id, sender), 'balance_too_low');
    add(id, sender, -sum);
    for (const { script, amount } of given.values()) add(id, script, amount);
    const written = [...given.values()].flatMap(({ script, amount }) => [scriptHash(script), int(amount)]);
    return event(index, tx.txid, 3, scriptHash(sender), id, int(given.size), ...written);
  }

  function burn({ payload, sender, index, tx }: Operation): Uint8Array {
    const fields = createFields(payload, 5);
    const [id, amount] = [fields.bytes(32), fields.integer()];
    fields.end();
    demand(amount > 0n, 'amount_zero');
    const token = getToken(id);
    demand(amount <= balanceOf(id, sender), 'balance_too_low');
    add(id, sender, -amount);
    tokens.set(toHex(id), { ...token, burned: token.burned + amount });
    return event(index, tx.txid, 4, scriptHash(sender), id, int(amount));
  }

  function sweep({ payload, sender, outputs, height, index, tx }: Operation): Uint8Array {
    demand(height >= rules.sweepHeight, 'unknown_opcode');
    const fields = createFields(payload, 5);
    const vout = fields.byte();
    fields.end();
    const recipient = findRecipient(outputs, vout);
    demand(toHex(recipient) !== toHex(sender), 'sweep_to_sender');
    const held = [...(everHeld.get(toHex(scriptHash(sender))) ?? [])].flatMap((key) => {
      const id = new Uint8Array(Buffer.from(key, 'hex'));
      const [token, amount] = [tokens.get(key), balanceOf(id, sender)];
      return token !== undefined && amount > 0n ? [{ id, token, amount }] : [];
    });
    demand(held.length > 0, 'nothing_to_sweep');
    held.sort((a, b) => a.token.createdAt - b.token.createdAt || a.token.index - b.token.index);
    const moved = held.slice(0, MOST_SWEPT);
    for (const { id, amount } of moved) {
      add(id, sender, -amount);
      add(id, recipient, amount);
    }
    const written = moved.flatMap(({ id, amount }) => [id, int(amount)]);
    const parties = [scriptHash(sender), scriptHash(recipient)];
    return event(index, tx.txid, 7, ...parties, int(moved.length), ...written);
  }

  function putRow({ kind, key, value, script, index }: GivenRow): void {
    const fields = createFields(value, 0);
    if (kind === 1) {
      demand(script !== undefined, 'script_missing');
      fields.bytes(32);
      const createdAt = Number(fields.integer());
      const { terms, cap } = readTermsOf(fields);
      const isOpen = fields.byte() === 1;
      const [minted, burned] = [fields.integer(), fields.integer()];
      tokens.set(toHex(key), { issuer: script, createdAt, index, terms, cap, isOpen, minted, burned });
    } else {
      demand(kind === 2 && key.length === 64, 'row_form');
      balances.set(toHex(key), fields.integer());
      noteHolder(toHex(key.subarray(32)), toHex(key.subarray(0, 32)));
    }
    fields.end();
  }

  const operations: Record<number, (operation: Operation) => Uint8Array> = {
    1: create,
    2: mint,
    3: transfer,
    4: burn,
    7: sweep,
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
    listRows() {
      const fromKey = (key: string): Uint8Array => new Uint8Array(Buffer.from(key, 'hex'));
      const rows: Row[] = [];
      for (const [id, { issuer, createdAt, terms, isOpen, minted, burned }] of tokens.entries()) {
        const totals = [u8(isOpen ? 1 : 0), int(minted), int(burned)];
        const value = concat(scriptHash(issuer), int(createdAt), terms, ...totals);
        rows.push({ kind: 1, key: fromKey(id), value });
      }
      for (const [key, balance] of balances.entries())
        rows.push({ kind: 2, key: fromKey(key), value: int(balance) });
      return rows;
    },
  };
};

/** The id of the token that a transaction creates. */
export function findTokenId(input: Input, payload: Uint8Array, genesisPrefix: Uint8Array): Uint8Array {
  const vout = new Uint8Array(4);
  new DataView(vout.buffer).setUint32(0, input.prevVout, true);
  return sha256(ID_TAG, genesisPrefix, input.prevTxid, vout, payload);
}

/** The tokens that the transactions of a block may have created, by id, with the index of the transaction. */
export function findCreations(
  { txs }: Block,
  marker: Uint8Array,
  genesisPrefix: Uint8Array,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const [index, { inputs, outputs }] of txs.entries()) {
    const [payload] = listPayloads(outputs, marker);
    if (payload?.[4] === 1) found.set(toHex(findTokenId(inputs[0]!, payload, genesisPrefix)), index);
  }
  return found;
}

function readTerms(payload: Uint8Array): Terms {
  const fields = createFields(payload, 5);
  const terms = readTermsOf(fields);
  fields.end();
  return terms;
}

type Terms = {
  readonly premine: bigint;
  readonly cap: bigint;
  readonly isMintable: boolean;
  /** Their bytes. */
  readonly terms: Uint8Array;
};

function readTermsOf(fields: Fields): Terms {
  const begin = fields.place();
  const [flags, decimals] = [fields.byte(), fields.byte()];
  demand((flags & ~(MINTABLE | HAS_CAP | HAS_METADATA)) === 0, 'unknown_flags');
  demand(decimals <= MOST_DECIMALS, 'decimals_too_many');
  const premine = fields.integer();
  const cap = flags & HAS_CAP ? fields.integer() : MOST;
  const length = fields.byte();
  demand(length >= 1 && length <= 12, 'ticker_form');
  const ticker = Buffer.from(fields.bytes(length)).toString('latin1');
  demand(/^[A-Z0-9]+$/.test(ticker), 'ticker_form');
  if (flags & HAS_METADATA) fields.bytes(32);
  return { premine, cap, isMintable: (flags & MINTABLE) !== 0, terms: fields.since(begin) };
}
