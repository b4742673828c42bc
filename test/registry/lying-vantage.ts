/** A vantage point that says what it is told to, on a socket and by a key of its own. */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeLook, NodeLooks, SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import {
  hashRegistryText,
  type Verdict,
  writeRegistryText,
  writeSignedText,
} from '@coinfront/protocol/registry/receipt.ts';
import type { ServiceSigner } from '../../service/src/signing/service-key.ts';

export type LyingVantage = {
  url: string;
  key: string;
  /** Statements that it lists and shows, as whose it likes. */
  statements: SignedLooks[];
  /** Answers a path in another way than by its statements; true when it has. */
  answer: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** What its list of nodes has. */
  nodes: object[];
  /** Paths that were asked for. */
  asked: string[];
  close(): void;
};

/** What is said of an endpoint. */
export function lookOf(endpoint: string, result: Verdict, tokens: string[] = []): NodeLook {
  const reason = result === 'pass' ? null : result === 'fail' ? 'unreachable' : 'own_node_behind';
  return { endpoint, at: null, result, reason, lag: null, tokens };
}

/** Signs a statement of a slot. */
export function stateLooks(
  signer: ServiceSigner,
  slot: { startMs: number; endMs: number },
  looks: NodeLook[],
  change: Partial<NodeLooks> = {},
): SignedLooks {
  const statement: NodeLooks = {
    ...{ type: 'node-looks', version: 1, network: '00'.repeat(32), registry_key: signer.publicKey },
    slot: { from: new Date(slot.startMs).toISOString(), to: new Date(slot.endMs).toISOString() },
    ...{ height: 100, block_hash: 'ab'.repeat(32), issued_at: new Date(slot.endMs).toISOString(), looks },
    ...change,
  };
  const hash = hashRegistryText(writeRegistryText(statement));
  return { statement, hash, signature: signer.sign(writeSignedText('node-looks', hash)) };
}

/** Starts one that says nothing yet. */
export async function startLyingVantage(signer: Pick<ServiceSigner, 'publicKey'>): Promise<LyingVantage> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://peer');
    vantage.asked.push(pathname);
    request.resume();
    if (vantage.answer?.(pathname, response) === true) return;
    const json = (value: unknown) => response.end(JSON.stringify(value));
    if (pathname.endsWith('/nodes')) return json({ items: vantage.nodes, next_cursor: null });
    if (pathname.endsWith('/looks'))
      return json({
        items: vantage.statements.map(({ statement: { slot, registry_key: by }, hash }) => ({
          slot,
          vantage: by,
          hash,
        })),
        next_cursor: null,
      });
    const found = vantage.statements.find(({ hash }) => pathname.endsWith(hash));
    response.statusCode = found === undefined ? 404 : 200;
    return json(found ?? {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const vantage: LyingVantage = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: signer.publicKey,
    ...{ statements: [], answer: undefined, nodes: [], asked: [] },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return vantage;
}
