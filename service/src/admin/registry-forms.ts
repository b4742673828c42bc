/** Commands about the node registry. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { Forms, Understood } from './command.ts';

const aNode = 'the node key: 64 hex digits';

export const registryForms: Forms = {
  'registry list': { subject: undefined, options: [], parse: () => ok({ kind: 'registry-list' }) },
  'registry remove': {
    subject: aNode,
    options: [],
    parse: (_, nodeKey) => ok({ kind: 'registry-remove', nodeKey }),
  },
  'registry block': {
    subject: aNode,
    options: [],
    parse: (_, nodeKey) => ok({ kind: 'registry-block', nodeKey }),
  },
  'registry unblock': {
    subject: aNode,
    options: [],
    parse: (_, nodeKey) => ok({ kind: 'registry-unblock', nodeKey }),
  },
  'registry forget-peer': {
    subject: 'the URL of the peer, as COINFRONT_WITNESS_PEERS has it',
    options: [],
    parse: (_, peer) => ok({ kind: 'registry-forget-peer', peer }),
  },
  'registry verify': {
    subject: undefined,
    options: ['head'],
    parse: ({ head }) => parseHead(head),
  },
};

function parseHead(head: string | boolean | undefined): Result<Understood> {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(String(head)))
    return fail('--head is the hash of a receipt: 64 hex digits.');
  return ok({ kind: 'registry-verify', head: head === undefined ? null : String(head) });
}
