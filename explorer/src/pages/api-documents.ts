import { lacks } from '../data/lacks.ts';

const allDocuments = [
  {
    id: 'chain',
    name: 'Chain, payments and pool',
    about: 'Blocks, transactions, addresses, supply, fees, the pool, payment requests and webhooks.',
    path: '/api/v1/openapi.json',
  },
  {
    id: 'proofs',
    name: 'Proofs',
    about: 'Anchors of digests, with the branch to check them by.',
    path: '/api/v1/proof/openapi.json',
  },
  {
    id: 'names',
    name: 'Names',
    about: 'Availability, resolution, history, and what wallets sign.',
    path: '/api/vns/v1/openapi.json',
  },
  {
    id: 'tokens',
    name: 'Tokens',
    about: 'Tokens, holders, events, checks before signing, reviewed metadata.',
    path: '/api/v1/tok/openapi.json',
  },
  {
    id: 'nodes',
    name: 'Node registry',
    about: 'Registered nodes, receipts of their checks, epochs.',
    path: '/api/nodeproof/openapi.json',
  },
  {
    id: 'treasury',
    name: 'Treasury',
    about: 'Reconciliation, ledger, contributors and contributions.',
    path: '/api/treasury/openapi.json',
  },
  {
    id: 'esplora',
    name: 'Esplora',
    about: 'The read API that existing wallets and libraries speak.',
    path: '/esplora/openapi.json',
  },
] as const;

/** The OpenAPI documents of the service; those of parts that the coin lacks are not among them. */
export const apiDocuments = allDocuments.filter(({ id }) => !lacks(id));
