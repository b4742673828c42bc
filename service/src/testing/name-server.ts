/** A name server for tests: answers A and AAAA of what it is told, over UDP on this machine. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type NameServer = {
  /** `ip:port`. */
  address: string;
  /** Names that it was asked for, lower case, with repetitions. */
  asked: string[];
  close(): Promise<void>;
};

const TYPE_A = 1;
const TYPE_NS = 2;
const TYPE_AAAA = 28;
const NXDOMAIN = 3;
const SERVFAIL = 2;

/** IPv4 addresses of a name; undefined for a name that is not there, `broken` for a server that fails, `silent` for none. */
export type NameAnswer = readonly string[] | 'broken' | 'silent' | undefined;

/** @param find called for each question, with `A`, `AAAA` or the number of another type; AAAA are always empty, and the root has a server unless `find('')` says otherwise */
export async function startNameServer(find: (name: string, type: string) => NameAnswer): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readName(query, 12);
    const type = query.readUInt16BE(end);
    asked.push(name);
    const answer = find(name, type === TYPE_A ? 'A' : type === TYPE_AAAA ? 'AAAA' : String(type));
    if (answer === 'silent') return;
    const records = type === TYPE_A && Array.isArray(answer) ? answer.map(writeA) : [];
    if (type === TYPE_NS && answer === undefined && name === '') records.push(writeNs());
    const code = answer === 'broken' ? SERVFAIL : answer === undefined && records.length === 0 ? NXDOMAIN : 0;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readName(message: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  while (message[at] !== 0) {
    const length = message[at]!;
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function writeRecord(type: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

const writeA = (address: string) => writeRecord(TYPE_A, Uint8Array.from(address.split('.').map(Number)));
const writeNs = () => writeRecord(TYPE_NS, Uint8Array.of(1, 97, 0));
