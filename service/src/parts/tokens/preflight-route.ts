import {
  type CheckJson,
  PreflightBody,
  type PreflightJson,
  PreflightView,
} from '@coinfront/api/token-checks.ts';
import { parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { parseTransaction, txidOf, wtxidOf } from '@coinfront/protocol/transaction.ts';
import type { FastifyInstance } from 'fastify';
import type { ChainView } from '../../chain/chain-view.ts';
import { registerCall } from '../../http/call-route.ts';
import type { MempoolTestResult } from '../../node/broadcast.ts';
import { isNodeError } from '../../node/node-error.ts';
import { getTip } from './get-tip.ts';
import { describeState, judgeOnState, type StatePreflight } from './preflight.ts';
import { notPassed, passed, skipped } from './preflight-verdict.ts';
import type { TokenRouteContext } from './token-context.ts';
import { tokenExamples } from './token-examples.ts';

const MAX_TX_BYTES = 1_000_000;

/** `POST /tok/preflight`. */
export function registerPreflightRoute(app: FastifyInstance, context: TokenRouteContext): void {
  registerCall(app, {
    method: 'POST',
    path: '/tok/preflight',
    body: PreflightBody,
    // Hex, and the JSON around it.
    bodyLimit: MAX_TX_BYTES * 2 + 1024,
    response: PreflightView,
    cache: 'none',
    cost: 10,
    operation: {
      document: 'tokens',
      id: 'preflightToken',
      tag: 'Transactions',
      summary: 'Check an exact signed transaction before it is sent',
      description:
        'Says what the index will make of it in the next block, what it does to balances, whether a CREATE pays its fee now and in ' +
        'the block after, and whether the node would take it. It is never broadcast. Send it with `/broadcast` when `ok` is true; ' +
        'what others have mined before it can still change the verdict.',
      errors: ['not_ready', 'index_unavailable'],
      bodyExample: { raw_tx: '0200000001' },
      example: tokenExamples.preflight,
    },
    call: ({ body }) => preflight(context, body.raw_tx),
  });
}

async function preflight(context: TokenRouteContext, rawTx: string): Promise<PreflightJson> {
  const { readChain } = context;
  const bytes = parseHex(rawTx.toLowerCase());
  const parsed = bytes.ok && bytes.value.length <= MAX_TX_BYTES ? parseTransaction(bytes.value) : undefined;
  if (!parsed?.ok) {
    return await readChain(async (view) => ({
      ...(await describeUndecodable(view)),
      txid: null,
      wtxid: null,
      ok: false,
    }));
  }
  const tx = parsed.value;
  const txid = txidOf(tx);
  const judged = await readChain((view) => judgeOnState(view, getTip(view), { tx, txid }, context));
  // Outside of the snapshot: the node is asked, and may take its time.
  const mempool = await checkMempool(context, rawTx);
  const checks = [passed('parse', 'A transaction.'), ...judged.checks, mempool];
  return {
    ...judged,
    txid: toDisplayHash(txid),
    wtxid: toDisplayHash(wtxidOf(tx)),
    checks,
    ok: mempool.result === 'passed' && checks.every(({ result }) => result !== 'failed'),
  };
}

async function checkMempool({ testTransaction }: TokenRouteContext, rawTx: string): Promise<CheckJson> {
  let verdict: MempoolTestResult;
  try {
    verdict = await testTransaction(rawTx);
  } catch (error) {
    if (!isNodeError(error)) throw error;
    return notPassed('mempool', 'skipped', 'node_unavailable');
  }
  if (verdict.ok) {
    return passed('mempool', verdict.alreadyKnown ? 'The node has it already.' : 'The node would take it.');
  }
  const detail = `The node refuses it: ${verdict.reason.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 300)}`;
  return { name: 'mempool', result: 'failed', reason: verdict.code, detail };
}

async function describeUndecodable(view: ChainView): Promise<StatePreflight> {
  const left = ['payload', 'sender', 'operation', 'pending', 'create_fee', 'mempool'] as const;
  return {
    ...(await describeState(view, getTip(view))),
    valid: null,
    reason: null,
    checks: [
      notPassed('parse', 'failed', 'undecodable'),
      ...left.map((name) => skipped(name, 'An earlier check failed.')),
    ],
  };
}
