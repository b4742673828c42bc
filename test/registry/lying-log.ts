/** A log in memory, and a service that shows what it is told to. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { type LogKind, logOrigin, signCheckpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { listConsistencyRanges } from '@coinfront/protocol/signed-log/merkle-ranges.ts';
import { hashLeaf, rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import type { ServiceSigner } from '../../service/src/signing/service-key.ts';

/** A log whose key signs whatever is asked of it. */
export type MemoryLog = {
  origin: string;
  /** The checkpoint of its first entries. */
  noteOf(size: number): string;
  /** The answer of `/log/consistency`. */
  growthOf(from: number, to: number): string;
};

/** A log of entries, each a text. */
export function createMemoryLog(kind: LogKind, signer: ServiceSigner, entries: readonly string[]): MemoryLog {
  const leaves = entries.map((entry) => hashLeaf(new TextEncoder().encode(entry)));
  const origin = logOrigin(kind, signer.publicKey);
  return {
    origin,
    noteOf(size) {
      const head = { origin, size, root: rootOfLeaves(leaves.slice(0, size)) };
      return signCheckpoint(head, signer.publicKey, (text) => getHexBytes(signer.sign(text))).note;
    },
    growthOf(from, to) {
      const path = listConsistencyRanges(from, to).map((range) =>
        bytesToHex(rootOfLeaves(leaves.slice(range.from, range.to))),
      );
      return JSON.stringify({ from, to, path });
    },
  };
}

/** What a peer answers now about one of its logs: a text, or a status without one. */
export type Shown = {
  checkpoint: string | number;
  consistency: ((from: number, to: number) => string) | number;
  /** The answer to `add-checkpoint`; 404 unless given. */
  cosign?: { status: number; text: string }[];
};

/** A peer on a socket, with one log or both. */
export type LyingPeer = {
  url: string;
  shown: Shown;
  /** The log of the other kind. */
  otherShown: Shown;
  close(): void;
};

const prefixes: Record<LogKind, string> = {
  'node-registry': '/api/nodeproof',
  'treasury-ledger': '/api/treasury',
};

/** Starts a peer that shows no log; what it is told to show is its log of this kind. */
export async function startLyingPeer(kind: LogKind): Promise<LyingPeer> {
  const none: Shown = { checkpoint: 404, consistency: 404 };
  const peer: Pick<LyingPeer, 'shown' | 'otherShown'> = { shown: none, otherShown: none };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://peer');
    const { cosign } = peer.shown;
    const isOfKind = url.pathname.startsWith(prefixes[kind]);
    const { checkpoint, consistency } = isOfKind ? peer.shown : peer.otherShown;
    const numberOf = (name: string) => Number(url.searchParams.get(name));
    const answer = (): string | number => {
      if (url.pathname.endsWith('/log/checkpoint')) return checkpoint;
      if (!url.pathname.endsWith('/log/consistency')) return 404;
      return typeof consistency === 'number' ? consistency : consistency(numberOf('from'), numberOf('to'));
    };
    request.resume();
    const given = request.method === 'POST' ? cosign?.shift() : undefined;
    const answered = given?.text ?? answer();
    response.statusCode = given?.status ?? (typeof answered === 'number' ? answered : 200);
    response.end(typeof answered === 'number' ? '' : answered);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return Object.assign(peer, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
}
