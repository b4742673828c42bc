import { BroadcastBody, BroadcastResultView } from '@coinfront/api/chain-transactions.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../http/call-route.ts';
import { broadcastErrors, broadcastTransaction, maxBroadcastBytes } from './broadcast.ts';
import type { ChainContext } from './chain-context.ts';
import { txExamples } from './examples-chain.ts';

/** `/broadcast`. */
export function registerBroadcastRoute(app: FastifyInstance, context: ChainContext): void {
  registerCall(app, {
    method: 'POST',
    path: '/broadcast',
    body: BroadcastBody,
    // Hex, and the JSON around it.
    bodyLimit: maxBroadcastBytes * 2 + 1024,
    response: BroadcastResultView,
    cache: 'none',
    cost: 10,
    operation: {
      document: 'chain',
      id: 'broadcast',
      tag: 'Transactions',
      summary: 'Submit a signed transaction',
      description:
        'Only a signed raw transaction in hex, never a key: sign where the key is. A transaction that is known already ' +
        'answers with its txid as well, so sending it again is safe. Each refusal of the node has a code of its own, ' +
        "and its detail ends with the node's reason. An answer comes when reads show the transaction, after two seconds at the " +
        'latest; `visibility` says whether they do.',
      errors: broadcastErrors,
      bodyExample: { raw_tx: txExamples.raw.raw_tx },
      example: txExamples.broadcast,
    },
    async call({ body }) {
      const { txid, alreadyKnown, visibility } = await broadcastTransaction(context, body.raw_tx);
      return { txid, already_known: alreadyKnown, visibility };
    },
  });
}
