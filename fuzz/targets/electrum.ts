import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { electrumLimits } from '../../service/src/parts/electrum/electrum-limits.ts';
import { countWaiting } from '../../service/src/parts/electrum/session/call-queue.ts';
import { createLineReader } from '../../service/src/parts/electrum/wire/line-reader.ts';
import type { Wire } from '../../service/src/parts/electrum/wire/wire.ts';
import { type ElectrumFixture, startElectrumFixture } from '../../service/src/testing/electrum-fixture.ts';
import { miner, payee, scriptOf } from '../../service/src/testing/fixture-server.ts';
import { demand, type FuzzTarget, utf8 } from '../target.ts';

const hashOf = (byte: number): string =>
  createHash('sha256').update(scriptOf(byte)).digest().reverse().toString('hex');
const call = (method: string, params: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const METHODS: readonly (readonly [string, unknown])[] = [
  ['server.version', ['x', ['1.4', '1.6']]],
  ['server.features', []],
  ['server.ping', []],
  ['blockchain.block.header', [5, 8]],
  ['blockchain.block.headers', [1, 3, 120]],
  ['blockchain.headers.subscribe', []],
  ['blockchain.scripthash.get_balance', [hashOf(payee)]],
  ['blockchain.scripthash.get_history', { scripthash: hashOf(payee) }],
  ['blockchain.scripthash.get_mempool', [hashOf(payee)]],
  ['blockchain.scripthash.listunspent', [hashOf(miner)]],
  ['blockchain.scripthash.subscribe', [hashOf(miner)]],
  ['blockchain.scripthash.unsubscribe', [hashOf(miner)]],
  ['blockchain.transaction.get', ['00'.repeat(32), true]],
  ['blockchain.transaction.get_merkle', ['00'.repeat(32), 3]],
  ['blockchain.transaction.id_from_pos', [110, 1, true]],
  ['blockchain.transaction.broadcast', ['00']],
  ['blockchain.transaction.broadcast_package', [['00'], true]],
  ['blockchain.estimatefee', [6, 'ECONOMICAL']],
  ['blockchain.relayfee', []],
  ['mempool.get_fee_histogram', []],
  ['mempool.get_info', []],
];

/** Turns of the event loop within which everything is answered, and one more for each byte: a turn may begin no more than one call. */
const MOST_TURNS = 2_000;

let opened: Promise<{ server: ElectrumFixture; heard: string[] }> | undefined;

/** A session beside those that are tried, which asks for nothing. */
async function open(): Promise<{ server: ElectrumFixture; heard: string[] }> {
  const server = await startElectrumFixture({ listens: false });
  const heard: string[] = [];
  server.sessions.begin(wireInto(heard));
  return { server, heard };
}

function wireInto(sent: string[]): Wire {
  const socket = new Socket();
  return {
    address: '192.0.2.1',
    socket,
    send: (messages) => void sent.push(...messages),
    pause() {},
    resume() {},
    end: () => void socket.destroy(),
  };
}

/** What a wallet sends: lines of calls and arrays of them, over one session. */
export const electrumTarget: FuzzTarget = {
  name: 'electrum',
  reads: 'sessions of the Electrum protocol',
  form: 'text',
  replayed: 1_000,
  maxBytes: 4_000,
  seeds: [
    METHODS.map(([method, params], id) => `${call(method, params, id)}\n`).join(''),
    ...METHODS.map(
      ([method, params]) => `${call('server.version', ['x', '1.6'])}\n${call(method, params, 'a')}\n`,
    ),
    `[${METHODS.map(([method, params], id) => call(method, params, id)).join(',')}]\n`,
    `${call('blockchain.scripthash.subscribe', [hashOf(payee)], null)}\n`.repeat(3),
    '[1,{},{"method":1},{"id":[]},{"id":1,"method":"x","params":null}]\n[]\n{\n',
    '{"method":"server.ping"}\n{"id":1e400,"method":"server.ping","params":{}}\n',
  ].map(utf8),
  words: [
    '"params":',
    '"id":',
    'null',
    '[]',
    '{}',
    '-1',
    '1e9',
    '2147483648',
    'true',
    '\n',
    '"1.4"',
    ...METHODS.map(([method]) => method),
  ],
  async check(input) {
    opened ??= open();
    const { server, heard } = await opened;
    const before = server.sessions.open.size;
    const sent: string[] = [];
    const wire = wireInto(sent);
    const end = server.sessions.begin(wire)!;
    const session = [...server.sessions.open].at(-1)!;
    let lines = 0;
    const limits = { bytes: electrumLimits.messageBytes, parts: electrumLimits.messageParts };
    const reader = createLineReader(limits, {
      take(line) {
        lines++;
        end.take(line);
      },
      refuse(bytes) {
        lines++;
        end.refuse(bytes);
      },
      skip(...empty) {
        lines++;
        end.skip(...empty);
      },
    });
    demand(reader.read(Buffer.from(input)), 'what is short is read');
    const isOver = (): boolean =>
      session.isEnding || (countWaiting(session.waiting) === 0 && session.out.length === 0);
    for (let turn = 0; session.underWay > 0 || !isOver(); turn++) {
      demand(turn < MOST_TURNS + input.length, 'a session comes to its end');
      await new Promise((resolve) => setImmediate(resolve));
    }
    demand(session.watched.length <= electrumLimits.subscriptions.ofSession, 'subscriptions are bounded');
    demand(sent.length <= lines, 'a message has one answer at most');
    for (const message of sent) {
      demand(/^[\x20-\x7e]*$/.test(message), 'answers are ASCII on one line');
      for (const answer of [JSON.parse(message)].flat()) {
        demand(
          answer.jsonrpc === '2.0' && 'result' in answer !== 'error' in answer,
          'an answer is a result or an error',
        );
        demand(answer.error?.code !== -32603, `no error is unforeseen: ${message.slice(0, 200)}`);
      }
    }
    end.closed();
    demand(server.sessions.open.size === before, 'who has left is forgotten');
    const [, subscriptions] = server.gauges;
    demand(subscriptions!.read() === 0, 'and what he watched, too');
    demand(heard.length === 0, 'nobody hears what others ask');
  },
  growing: {
    calls: (bytes) => utf8('{"id":1,"method":"server.ping"}\n'.repeat(bytes / 32)),
    'an array of calls': (bytes) => utf8(`[${'{"id":1,"method":"x"},'.repeat(bytes / 22)}1]\n`),
    'a parameter': (bytes) => utf8(`${call('blockchain.scripthash.get_balance', ['0'.repeat(bytes)])}\n`),
    nesting: (bytes) => utf8(`${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}\n`),
    'empty lines': (bytes) => utf8(' \n'.repeat(bytes / 2)),
  },
  async close() {
    await (await opened)?.server.finish(0);
    opened = undefined;
  },
};
