import { concatBytes, getHexBytes } from '../../bytes.ts';
import { decodeNameOperation, encodeNameOperation, LATER_KINDS } from '../../names/name-operation.ts';
import {
  findRecordsFault,
  hashRecordsDocument,
  type NameRecords,
  readRecordsDocument,
  recordLimits,
  writeRecordsDocument,
} from '../../names/name-records.ts';
import type { NameContext } from '../../names/name-rules.ts';
import { createNameLedger } from '../name-ledger.ts';
import { GENESIS_HASH, nameContext } from '../protocol-rules.ts';
import { p2pkhOwner, p2wpkhOwner } from '../spends.ts';
import { playVector } from './chain-vector.ts';
import { toJson } from './hex.ts';
import { createNameSteps } from './name-steps.ts';

const ALICE = p2wpkhOwner(1);
const BOB = p2pkhOwner(2);
const NAME = 'alice.coin';
const ZEROS = new Uint8Array(32);

/** The coin of the vectors of names, which gets text records some blocks after its registry began. */
export const recordsContext: NameContext = {
  ...nameContext,
  rules: { ...nameContext.rules, recordsActivationHeight: 103 },
};

const { marker } = recordsContext.rules;
const many = (count: number, value: string): NameRecords =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, value]));

/** Records that have a document. */
const RECORDS: readonly NameRecords[] = [
  { url: 'https://alice.example/' },
  { url: 'https://alice.example/', email: 'alice@alice.example', 'address.btc': 'bc1qexample' },
  { description: 'Ünïcödé "quoted" \\ 日本 <b>&</b>', a: '0' },
  { ['k'.repeat(recordLimits.keyCharacters)]: 'v'.repeat(recordLimits.valueBytes) },
  many(recordLimits.count, 'x'),
];

/** Texts that are no document of the name, whatever their hash. */
const BAD_DOCUMENTS = [
  '',
  '[]',
  'null',
  '{"name":"alice.coin","records":{},"version":1}',
  '{"name":"bob.coin","records":{"url":"x"},"version":1}',
  '{"name":"alice.coin","records":{"url":"x"},"version":2}',
  '{"name":"alice.coin","records":{"url":"x"}}',
  '{"name":"alice.coin","records":{"url":"x"},"version":1,"more":1}',
  '{"records":{"url":"x"},"name":"alice.coin","version":1}',
  '{"name":"alice.coin", "records":{"url":"x"},"version":1}',
  '{"name":"alice.coin","records":{"url":"x"},"version":1}\n',
  '{"name":"alice.coin","records":{"b":"x","a":"x"},"version":1}',
  '{"name":"alice.coin","records":{"a":"x","a":"x"},"version":1}',
  '{"name":"alice.coin","records":{"url":"\\u0078"},"version":1}',
  '{"name":"alice.coin","records":{"url":1},"version":1}',
  '{"name":"alice.coin","records":{"url":""},"version":1}',
  '{"name":"alice.coin","records":{"URL":"x"},"version":1}',
  '{"name":"alice.coin","records":{"":"x"},"version":1}',
  '{"name":"alice.coin","records":{".a":"x"},"version":1}',
  '{"name":"alice.coin","records":{"__proto__":"x"},"version":1}',
  '{"name":"alice.coin","records":{"a":"x\\ny"},"version":1}',
  '{"name":"alice.coin","records":{"a":"\u202ex"},"version":1}',
  '{"name":"alice.coin","records":{"a":"\\ud800"},"version":1}',
  '{"name":"alice.coin","records":{"a":"e\u0301"},"version":1}',
  `{"name":"alice.coin","records":{"${'k'.repeat(33)}":"x"},"version":1}`,
  `{"name":"alice.coin","records":{"a":"${'v'.repeat(513)}"},"version":1}`,
  `{"name":"alice.coin","records":{"a":"${'ü'.repeat(257)}"},"version":1}`,
  `{"name":"alice.coin","records":${JSON.stringify(sorted(many(33, 'x')))},"version":1}`,
  `{"name":"alice.coin","records":${JSON.stringify(sorted(many(20, 'v'.repeat(500))))},"version":1}`,
];

function sorted(records: NameRecords): NameRecords {
  return Object.fromEntries(Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hashOf(index: number): Uint8Array {
  return hashRecordsDocument(writeRecordsDocument(NAME, RECORDS[index]!));
}

function makeBlocks() {
  const { step, commit, register, renew, transfer, records } = createNameSteps(BOB.script);
  const payload = (hex: string) => concatBytes(marker, getHexBytes(hex));
  return [
    { height: 100, transactions: [step('Alice commits', ALICE, commit(ALICE, NAME), 'commit')] },
    {
      height: 102,
      transactions: [
        step('Alice registers', ALICE, register(NAME), 'register', { paid: 10n }),
        step('one block before text records begin', ALICE, records(NAME, hashOf(0)), 'unknown_opcode'),
      ],
    },
    {
      height: 103,
      transactions: [
        step('of a name of somebody else', BOB, records(NAME, hashOf(0)), 'not_owner'),
        step('of a name that nobody has', ALICE, records('nobody.coin', hashOf(0)), 'name_not_registered'),
        step('of what is no name', ALICE, records('Alice.coin', hashOf(0)), 'label_characters'),
        step('without a name', ALICE, records('', hashOf(0)), 'name_form'),
        step('a hash that is cut off', ALICE, payload(`06${'ab'.repeat(31)}`), 'payload_truncated'),
        step('reverse records are none of this coin', ALICE, payload('05'), 'unknown_opcode'),
        step('a removal where there are none', ALICE, records(NAME, ZEROS), 'records'),
        step('Alice sets records', ALICE, records(NAME, hashOf(0)), 'records'),
      ],
    },
    {
      height: 104,
      transactions: [
        step('others replace them', ALICE, records(NAME, hashOf(1)), 'records'),
        step('a transfer to oneself changes nothing', ALICE, transfer(NAME), 'transfer', {
          to: ALICE.script,
        }),
      ],
    },
    { height: 105, transactions: [step('a transfer ends them', ALICE, transfer(NAME), 'transfer')] },
    {
      height: 106,
      transactions: [
        step('who had the name cannot set any', ALICE, records(NAME, hashOf(1)), 'not_owner'),
        step('the new owner sets his', BOB, records(NAME, hashOf(2)), 'records'),
        step(
          'any hash will do: the document is not on the chain',
          BOB,
          records(
            NAME,
            ZEROS.map(() => 255),
          ),
          'records',
        ),
      ],
    },
    { height: 112, transactions: [step('expired', BOB, records(NAME, hashOf(2)), 'name_expired')] },
    {
      height: 113,
      transactions: [
        step('a renewal in grace: they count again', ALICE, renew(NAME, 1), 'renew', { paid: 10n }),
        step('and can be set', BOB, records(NAME, hashOf(3)), 'records'),
      ],
    },
    { height: 125, transactions: [step('Bob commits', BOB, commit(BOB, NAME), 'commit')] },
    {
      height: 128,
      transactions: [
        step('registered anew, by who had it: they end', BOB, register(NAME), 'register', { paid: 2000n }),
      ],
    },
    { height: 129, transactions: [step('a removal', BOB, records(NAME, ZEROS), 'records')] },
    { height: 130, transactions: [] },
  ];
}

/** The content of docs/protocols/vectors/names-records.json. */
export function makeNameRecordsVectors(): unknown {
  const ledger = createNameLedger(recordsContext);
  const valid = [
    encodeNameOperation({ kind: 'records', hash: hashOf(0), name: NAME }, marker),
    encodeNameOperation({ kind: 'records', hash: ZEROS, name: `${'a'.repeat(32)}.coin` }, marker),
  ];
  const invalid = ['06', `06${'ab'.repeat(31)}`].map((hex) => concatBytes(marker, getHexBytes(hex)));
  return {
    about:
      'Test vectors of text records (docs/protocols/names.md), in the form of names.json: the same coin, with `records_activation_height`; and documents of records, with the hashes that stand on the chain.',
    genesis_hash: GENESIS_HASH,
    rules: toJson(recordsContext.rules),
    documents: {
      valid: RECORDS.map((records) => {
        const fault = findRecordsFault(records);
        if (fault !== undefined) throw new Error(fault);
        const document = writeRecordsDocument(NAME, records);
        return { name: NAME, records, document, hash: toJson(hashRecordsDocument(document)) };
      }),
      invalid: BAD_DOCUMENTS.map((document) => {
        if (readRecordsDocument(document, NAME)) throw new Error(`a document: ${document}`);
        return { name: NAME, document };
      }),
    },
    payloads: {
      valid: valid.map((payload) => {
        const decoded = decodeNameOperation(payload, LATER_KINDS);
        return { payload: toJson(payload), operation: toJson(decoded.ok ? decoded.operation : null) };
      }),
      invalid: invalid.map((payload) => {
        const decoded = decodeNameOperation(payload, LATER_KINDS);
        return { payload: toJson(payload), reason: decoded.ok ? null : decoded.reason };
      }),
    },
    chain: playVector(
      { ...ledger, connect: ledger.connectBlock },
      recordsContext.rules.activationHeight,
      makeBlocks(),
    ),
  };
}
