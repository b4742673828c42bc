import { concatBytes, getHexBytes } from '../../bytes.ts';
import { nameCommitment } from '../../names/name-commitment.ts';
import { decodeNameOperation, encodeNameOperation, type NameOperation } from '../../names/name-operation.ts';
import { premiumAt, pricePerPeriod } from '../../names/name-price.ts';
import { parseName } from '../../names/name-syntax.ts';
import { createNameLedger } from '../name-ledger.ts';
import { GENESIS_HASH, nameContext } from '../protocol-rules.ts';
import { multisigOwner, p2pkhOwner, p2wpkhOwner } from '../spends.ts';
import { playVector } from './chain-vector.ts';
import { toJson } from './hex.ts';
import { createNameSteps, SALT } from './name-steps.ts';
import { senderFaultSpends } from './sender-vectors.ts';

const { rules } = nameContext;
const { marker } = rules;
const ALICE = p2wpkhOwner(1);
const BOB = p2pkhOwner(2);
const BOARD = multisigOwner(3, 'p2wsh');
const NAME = 'alice.coin';

const NAMES = [
  'abc.coin',
  'a-b.test',
  '0-0.coin',
  `${'z'.repeat(32)}.coin`,
  'ab-c-d.coin',
  'abc--d.coin',
  `${'a'.repeat(45)}.coin`,
  '',
  'abc',
  'a.b.coin',
  'abc.coin.',
  'abc.',
  'abc.com',
  'abc.COIN',
  'ab.coin',
  `${'a'.repeat(33)}.coin`,
  'Abc.coin',
  'a_c.coin',
  'a c.coin',
  '-abc.coin',
  'abc-.coin',
  'xn--a.coin',
];

const OPERATIONS: NameOperation[] = [
  { kind: 'commit', commitment: getHexBytes('ab'.repeat(32)) },
  { kind: 'register', periods: 2, salt: SALT, name: NAME },
  { kind: 'transfer', toVout: 255, name: NAME },
  { kind: 'renew', periods: 10, name: NAME },
];

const BAD_PAYLOADS = [
  '',
  '00',
  '05',
  `01${'ab'.repeat(31)}`,
  `01${'ab'.repeat(33)}`,
  `0201${'cd'.repeat(15)}`,
  '03',
  '04',
];

function makeBlocks() {
  const { step, commit, register, renew, transfer } = createNameSteps(BOB.script);
  const twice = step('two payloads', ALICE, commit(ALICE, NAME), 'several_payloads');
  twice.tx.outputs.push(twice.tx.outputs[0]!);
  const coinbase = step('a coinbase', ALICE, commit(ALICE, NAME), 'coinbase');
  const coinbaseInput = { ...coinbase.tx.inputs[0]!, prevTxid: new Uint8Array(32), prevVout: 0xffffffff };
  const badSenders = senderFaultSpends().map(({ about, prevoutScript, spend, reason }) => {
    const each = step(about, ALICE, commit(ALICE, NAME), reason);
    const tx = { ...each.tx, inputs: [{ ...each.tx.inputs[0]!, ...spend }] };
    return { ...each, tx: { ...tx, hasWitness: spend.witness.length > 0 }, prevoutScript };
  });
  const other = step('no payload of this protocol', ALICE, getHexBytes('56544b3104'), null);
  const badNames = NAMES.flatMap((name) => {
    const parsed = parseName(name, rules);
    return parsed.ok
      ? []
      : [step(`transfer of "${name}"`, ALICE, transfer(name), name === '' ? 'name_form' : parsed.reason)];
  });
  const badPayloads = BAD_PAYLOADS.map((hex) => {
    const payload = concatBytes(marker, getHexBytes(hex));
    const decoded = decodeNameOperation(payload);
    return step(
      `payload ${hex || 'of nothing but the marker'}`,
      ALICE,
      payload,
      decoded.ok ? 'name_form' : decoded.reason,
    );
  });
  return [
    {
      height: 100,
      transactions: [
        { ...coinbase, tx: { ...coinbase.tx, inputs: [coinbaseInput] }, prevoutScript: undefined },
        twice,
        other,
        step('Alice commits', ALICE, commit(ALICE, NAME), 'commit'),
        step('Bob commits to the same name', BOB, commit(BOB, NAME), 'commit'),
        step('the board commits to another', BOARD, commit(BOARD, 'board.test'), 'commit'),
        ...badSenders,
      ],
    },
    {
      height: 101,
      transactions: [
        step('reveal one block early', ALICE, register(NAME), 'commit_immature', { paid: 10n }),
        ...badPayloads,
      ],
    },
    {
      height: 102,
      transactions: [
        step('reveal of no commitment: it is bound to the owner', BOARD, register(NAME), 'commit_missing', {
          paid: 10n,
        }),
        step('reveal that pays too little', ALICE, register(NAME), 'fee_too_low', { paid: 9n }),
        step('more periods than the coin allows', ALICE, register(NAME, 4), 'periods_too_many', {
          paid: 40n,
        }),
        step('no period', ALICE, register(NAME, 0), 'periods_zero', { paid: 10n }),
        step('Alice repeats her commitment: it keeps its height', ALICE, commit(ALICE, NAME), 'commit'),
        step('the first valid reveal wins', ALICE, register(NAME), 'register', { paid: 10n }),
        step('the race is lost', BOB, register(NAME), 'name_taken', { paid: 10n }),
        step('the commitment is spent', ALICE, register(NAME), 'commit_missing', { paid: 10n }),
        step('another name', BOARD, register('board.test'), 'register', { paid: 10n }),
        step('a renewal to exactly three periods ahead', BOB, renew('board.test', 2), 'renew', { paid: 20n }),
        step('a renewal beyond them', BOB, renew('board.test', 1), 'periods_too_many', { paid: 10n }),
      ],
    },
    {
      height: 103,
      transactions: [
        step('a stranger transfers', BOB, transfer(NAME), 'not_owner'),
        step('transfer to the carrier', ALICE, transfer(NAME, 0), 'output_is_carrier'),
        step('transfer to an output that is not there', ALICE, transfer(NAME, 3), 'output_missing'),
        step('transfer of a name that nobody has', ALICE, transfer('nobody.coin'), 'name_not_registered'),
        step('transfer to the board', ALICE, transfer(NAME), 'transfer', { to: BOARD.script }),
        step('the former owner transfers', ALICE, transfer(NAME), 'not_owner'),
        ...badNames,
      ],
    },
    {
      height: 104,
      transactions: [
        step('a stranger renews', BOB, renew(NAME, 1), 'renew', { paid: 10n }),
        step(
          'a renewal further than three periods ahead of this block',
          BOB,
          renew(NAME, 2),
          'periods_too_many',
          { paid: 20n },
        ),
        step('a renewal that pays too little', BOB, renew(NAME, 1), 'fee_too_low', { paid: 9n }),
        step('a renewal of no period', BOB, renew(NAME, 0), 'periods_zero'),
        step('renewal of a name that nobody has', BOB, renew('nobody.coin', 1), 'name_not_registered', {
          paid: 10n,
        }),
      ],
    },
    {
      height: 121,
      transactions: [
        step('the last block before expiry', BOARD, transfer(NAME), 'transfer', { to: BOARD.script }),
        step('Alice commits again', ALICE, commit(ALICE, NAME), 'commit'),
      ],
    },
    {
      height: 122,
      transactions: [
        step('expired: nobody transfers', BOARD, transfer(NAME), 'name_expired'),
        step('Bob commits again', BOB, commit(BOB, NAME), 'commit'),
      ],
    },
    {
      height: 126,
      transactions: [
        step('the last block of grace: no register', BOB, register(NAME), 'name_in_grace', { paid: 5000n }),
      ],
    },
    {
      height: 127,
      transactions: [
        step('grace is over: no renewal', BOB, renew(NAME, 1), 'name_lapsed', { paid: 10n }),
        step('the whole premium is due: one unit is missing', ALICE, register(NAME), 'fee_too_low', {
          paid: 1010n,
        }),
      ],
    },
    {
      height: 128,
      transactions: [
        step('the commitment is too old', ALICE, register(NAME), 'commit_expired', { paid: 5000n }),
        step(
          'what is left of the premium is rounded down: one unit is missing',
          BOB,
          register(NAME),
          'fee_too_low',
          { paid: 759n },
        ),
        step('registered anew, with the premium', BOB, register(NAME, 1), 'register', { paid: 760n }),
      ],
    },
    {
      height: 131,
      transactions: [
        step('the price of the new table', ALICE, renew(NAME, 1), 'fee_too_low', { paid: 19n }),
        step('the same, paid', ALICE, renew(NAME, 1), 'renew', { paid: 20n }),
      ],
    },
    {
      height: 150,
      transactions: [
        step('in grace the periods count from the old expiry', ALICE, renew(NAME, 1), 'renew', { paid: 20n }),
      ],
    },
    { height: 167, transactions: [] },
  ];
}

/** The content of docs/protocols/vectors/names.json. */
export function makeNameVectors(): unknown {
  const ledger = createNameLedger(nameContext);
  const judged = NAMES.map((name) => ({ name, parsed: parseName(name, rules) }));
  return {
    about:
      'Test vectors of docs/protocols/names.md. Signatures have their shape and are not valid: the rules judge the shape.',
    genesis_hash: GENESIS_HASH,
    rules: toJson(rules),
    names: {
      valid: judged.filter(({ parsed }) => parsed.ok).map(({ name }) => name),
      invalid: judged.flatMap(({ name, parsed }) => (parsed.ok ? [] : [{ name, reason: parsed.reason }])),
    },
    prices: [
      [3, 100],
      [4, 100],
      [5, 100],
      [32, 129],
      [3, 130],
      [32, 130],
    ].map(([length, height]) => ({
      label_length: length,
      height,
      per_period: String(pricePerPeriod(length!, height!, rules)),
    })),
    premiums: [125, 126, 127, 128, 129, 130, 131].map((height) => ({
      expiry: 120,
      height,
      premium: String(premiumAt(120, height, rules)),
    })),
    commitments: [ALICE, BOB, BOARD].map(({ script }) => ({
      owner_script: toJson(script),
      salt: toJson(SALT),
      name: NAME,
      commitment: toJson(
        nameCommitment({ ownerScript: script, salt: SALT, name: NAME }, nameContext.genesisPrefix),
      ),
    })),
    payloads: {
      valid: OPERATIONS.map((operation) => ({
        payload: toJson(encodeNameOperation(operation, marker)),
        operation: toJson(operation),
      })),
      invalid: BAD_PAYLOADS.flatMap((hex) => {
        const payload = concatBytes(marker, getHexBytes(hex));
        const decoded = decodeNameOperation(payload);
        return decoded.ok ? [] : [{ payload: toJson(payload), reason: decoded.reason }];
      }),
    },
    chain: playVector({ ...ledger, connect: ledger.connectBlock }, rules.activationHeight, makeBlocks()),
  };
}
