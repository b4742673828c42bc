import { concatBytes, getHexBytes } from '../../bytes.ts';
import { decodeNameOperation, encodeNameOperation, LATER_KINDS } from '../../names/name-operation.ts';
import type { NameContext } from '../../names/name-rules.ts';
import { createNameLedger } from '../name-ledger.ts';
import { GENESIS_HASH, nameContext } from '../protocol-rules.ts';
import { multisigOwner, p2pkhOwner, p2wpkhOwner } from '../spends.ts';
import { playVector } from './chain-vector.ts';
import { toJson } from './hex.ts';
import { createNameSteps } from './name-steps.ts';

const ALICE = p2wpkhOwner(1);
const BOB = p2pkhOwner(2);
const BOARD = multisigOwner(3, 'p2wsh');
const [FIRST, SECOND] = ['alice.coin', 'other.coin'] as const;

/** The coin of the vectors of names, which gets reverse records some blocks after its registry began. */
export const reverseContext: NameContext = {
  ...nameContext,
  rules: { ...nameContext.rules, reverseActivationHeight: 103 },
};

const { marker } = reverseContext.rules;

function makeBlocks() {
  const { step, commit, register, renew, transfer, reverse } = createNameSteps(BOB.script);
  const short = encodeNameOperation(reverse(''), marker).slice(0, 4);
  return [
    {
      height: 100,
      transactions: [
        step('Alice commits', ALICE, commit(ALICE, FIRST), 'commit'),
        step('Alice commits to a second name', ALICE, commit(ALICE, SECOND), 'commit'),
      ],
    },
    {
      height: 102,
      transactions: [
        step('Alice registers', ALICE, register(FIRST), 'register', { paid: 10n }),
        step('and the second name, for longer', ALICE, register(SECOND, 3), 'register', { paid: 30n }),
        step('one block before reverse records begin', ALICE, reverse(FIRST), 'unknown_opcode'),
        step('neither can one be removed', ALICE, reverse(''), 'unknown_opcode'),
      ],
    },
    {
      height: 103,
      transactions: [
        step('a removal where there is none', BOB, reverse(''), 'reverse'),
        step('a name of somebody else', BOB, reverse(FIRST), 'not_owner'),
        step('a name that nobody has', ALICE, reverse('nobody.coin'), 'name_not_registered'),
        step('what is no name', ALICE, reverse('Alice.coin'), 'label_characters'),
        step('a name of another ending', ALICE, reverse('alice.com'), 'name_tld'),
        step('a zero byte is no empty name', ALICE, concatBytes(marker, getHexBytes('0500')), 'name_form'),
        step('no opcode', ALICE, short, 'payload_truncated'),
        step('the next opcode is none', ALICE, concatBytes(marker, getHexBytes('06')), 'unknown_opcode'),
        step('Alice is shown with her name', ALICE, reverse(FIRST), 'reverse'),
      ],
    },
    {
      height: 104,
      transactions: [
        step('the same again changes nothing', ALICE, reverse(FIRST), 'reverse'),
        step('another name replaces it', ALICE, reverse(SECOND), 'reverse'),
        step('transfer of a name that is not shown', ALICE, transfer(FIRST), 'transfer'),
        step('its new owner was not asked: a record is of his own making', BOB, reverse(FIRST), 'reverse'),
      ],
    },
    {
      height: 105,
      transactions: [
        step('a transfer to oneself changes nothing', BOB, transfer(FIRST), 'transfer'),
        step('a transfer ends the record of who gave', BOB, transfer(FIRST), 'transfer', {
          to: ALICE.script,
        }),
        step('given back, without its record', ALICE, transfer(FIRST), 'transfer'),
        step('a removal', ALICE, reverse(''), 'reverse'),
        step('set anew', ALICE, reverse(SECOND), 'reverse'),
        step('Bob sets his again', BOB, reverse(FIRST), 'reverse'),
      ],
    },
    {
      height: 112,
      transactions: [
        step('expired: it cannot be set', BOB, reverse(FIRST), 'name_expired'),
        step('a renewal in grace: the record counts again', ALICE, renew(FIRST, 1), 'renew', { paid: 10n }),
      ],
    },
    {
      height: 123,
      transactions: [step('in grace it does not count, and can be removed', BOB, reverse(''), 'reverse')],
    },
    {
      height: 129,
      transactions: [step('the board commits', BOARD, commit(BOARD, SECOND), 'commit')],
    },
    {
      height: 132,
      transactions: [step('the second name expires', ALICE, reverse(SECOND), 'name_expired')],
    },
    {
      height: 136,
      transactions: [step('the board commits anew', BOARD, commit(BOARD, SECOND), 'commit')],
    },
    {
      height: 138,
      transactions: [
        step(
          'registered anew by another: the record of who had it ends',
          BOARD,
          register(SECOND),
          'register',
          {
            paid: 2000n,
          },
        ),
        step('who had it has it given', BOARD, transfer(SECOND), 'transfer', { to: ALICE.script }),
      ],
    },
    { height: 139, transactions: [] },
  ];
}

/** The content of docs/protocols/vectors/names-reverse.json. */
export function makeNameReverseVectors(): unknown {
  const ledger = createNameLedger(reverseContext);
  const blocks = makeBlocks();
  const [valid, invalid] = [['05616c6963652e636f696e', '05'], ['']];
  return {
    about:
      'Test vectors of reverse records (docs/protocols/names.md), in the form of names.json: the same coin, with `reverse_activation_height`.',
    genesis_hash: GENESIS_HASH,
    rules: toJson(reverseContext.rules),
    payloads: {
      valid: valid.map((hex) => {
        const payload = concatBytes(marker, getHexBytes(hex));
        const decoded = decodeNameOperation(payload, LATER_KINDS);
        return { payload: toJson(payload), operation: toJson(decoded.ok ? decoded.operation : null) };
      }),
      invalid: invalid.map((hex) => {
        const payload = concatBytes(marker, getHexBytes(hex));
        const decoded = decodeNameOperation(payload, LATER_KINDS);
        return { payload: toJson(payload), reason: decoded.ok ? null : decoded.reason };
      }),
    },
    chain: playVector(
      { ...ledger, connect: ledger.connectBlock },
      reverseContext.rules.activationHeight,
      blocks,
    ),
  };
}
