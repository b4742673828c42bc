import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import {
  looksBounds,
  type NodeLook,
  type NodeLooks,
  type SignedLooks,
} from '@coinfront/protocol/registry/looks.ts';
import {
  hashRegistryText,
  writeRegistryText,
  writeSignedText,
} from '@coinfront/protocol/registry/receipt.ts';
import { dayOf, SHOWN_DAYS } from '../../service/src/parts/registry/days/day-rules.ts';
import { closePassedEpoch } from '../../service/src/parts/registry/log/receipt-log.ts';
import { nodeBounds } from '../../service/src/parts/registry/registry-bounds.ts';
import type {
  RegistryClaimTable,
  RegistryNodeTable,
  RegistryReceiptTable,
  RegistryTables,
} from '../../service/src/parts/registry/schema/registry-tables.ts';
import { insertStatement } from '../../service/src/parts/registry/vantage/statement-store.ts';
import { openServiceKey, type ServiceSigner } from '../../service/src/signing/service-key.ts';
import { createOwner, type NodeOwner } from '../../test/harness/registry-desk.ts';
import type { ServiceStorage } from '../service-process.ts';
import { withPrecious } from './beside.ts';
import type { FreshOfRoutes } from './list-requests.ts';
import type { ServiceClient } from './service-client.ts';

/** Room for those that requests register. */
const FREE_PLACES = 500;
/** As many as are registered at most but for these, and as many in a network. */
const NODES: number = nodeBounds.all - FREE_PLACES;
const OF_NETWORK = nodeBounds.network;
/** Of one epoch: with so many nodes it is a slot in ten of a day's. */
const RECEIPTS = 140_000;
/** SQLite binds 32,766 values in one statement. */
const ROWS_PER_INSERT = 1_000;
const CLOSED_EPOCH = 0;
const EPOCH_BLOCKS = 1_000_000;

/** What the service needs to be told: its nodes are on loopback, and it looks at none of them meanwhile. */
export const registrySettings: Readonly<Record<string, string>> = {
  COINFRONT_REGISTRY_ALLOW: 'loopback',
  COINFRONT_REGISTRY_PORTS: 'any',
  COINFRONT_REGISTRY_SLOT: '86400',
  COINFRONT_REGISTRY_REWARD: '1000',
  COINFRONT_REGISTRY_EPOCH_BLOCKS: String(EPOCH_BLOCKS),
};

/** A node with receipts, a place in the log, and a statement of as many looks as one may have. */
export type ManyNodes = { nodeKeys: string[]; sequences: string[]; statements: string[] };

/** Writes 9,500 registered nodes and a closed epoch of 140,000 receipts: by requests they would take days. */
export async function insertManyNodes(storage: ServiceStorage, profile: CoinProfile): Promise<ManyNodes> {
  const signer = openServiceKey(join(storage.dataDir, 'registry.key'));
  const nowMs = Date.now();
  const nodes = Array.from({ length: NODES }, (_, i) => describeNode(i, nowMs));
  const statement = describeStatement(signer, profile.genesisHash);
  await withPrecious(storage, async (precious) => {
    await precious.transaction<RegistryTables, void>(async (trx) => {
      for (let first = 0; first < NODES; first += ROWS_PER_INSERT) {
        const some = nodes.slice(first, first + ROWS_PER_INSERT);
        await trx
          .insertInto('registry_claim')
          .values(some.map(({ claim }) => claim))
          .execute();
        await trx
          .insertInto('registry_node')
          .values(some.map(({ node }) => node))
          .execute();
        const judged = some.map(({ node }) => ({
          epoch: CLOSED_EPOCH,
          node_key: node.node_key,
          ...{ passed: 13, failed: 1, voided: 0 },
          network: node.network,
          payout_address: node.payout_address,
          endpoint_proven: 1,
          proven: 13,
          endpoint: null,
          asn: null,
        }));
        await trx.insertInto('registry_epoch_node').values(judged).execute();
      }
      for (let first = 0; first < RECEIPTS; first += ROWS_PER_INSERT) {
        const some = Array.from({ length: ROWS_PER_INSERT }, (_, i) => describeReceipt(first + i, nodes));
        await trx.insertInto('registry_receipt').values(some).execute();
      }
      for (const { node } of nodes.slice(0, 2)) {
        const days = Array.from({ length: SHOWN_DAYS }, (_, i) => dayOf(nowMs) - i);
        const judged = days.map((day) => ({ node_key: node.node_key, day, passed: 143, failed: 1 }));
        await trx.insertInto('registry_node_day').values(judged).execute();
      }
      await insertStatement(trx, statement, nowMs);
      const rules = {
        signer,
        genesisHash: profile.genesisHash,
        epochBlocks: EPOCH_BLOCKS,
        reward: 1_000n,
        asTable: undefined,
        vantages: [],
      };
      await closePassedEpoch(trx, rules, { nowMs, height: EPOCH_BLOCKS, blockHash: '00'.repeat(32) });
    });
  });
  return {
    nodeKeys: nodes.slice(0, 2).map(({ node }) => node.node_key),
    sequences: ['1', String(RECEIPTS - 1)],
    statements: [statement.hash],
  };
}

function describeStatement(signer: ServiceSigner, genesisHash: string): SignedLooks {
  const looks = Array.from(
    { length: looksBounds.looks },
    (_, i): NodeLook => ({
      endpoint: `127.${i >> 8}.${i & 0xff}.1:20000`,
      ...{ at: new Date(0).toISOString(), result: 'pass', reason: null, lag: 0 },
      tokens: [`nodeproof-${String(i).padStart(32, '0')}`],
    }),
  );
  const statement: NodeLooks = {
    ...{ type: 'node-looks', version: 1, network: genesisHash, registry_key: signer.publicKey },
    slot: { from: new Date(0).toISOString(), to: new Date(86_400_000).toISOString() },
    ...{ height: 1, block_hash: '00'.repeat(32), issued_at: new Date(0).toISOString() },
    looks: looks.sort((a, b) => (a.endpoint < b.endpoint ? -1 : 1)),
  };
  const hash = hashRegistryText(writeRegistryText(statement));
  return { statement, hash, signature: signer.sign(writeSignedText(statement.type, hash)) };
}

function describeNode(i: number, nowMs: number): { claim: RegistryClaimTable; node: RegistryNodeTable } {
  const node_key = createHash('sha256').update(`node ${i}`).digest('hex');
  const network = Math.floor(i / OF_NETWORK);
  const octets = `127.${(network >> 8) & 0xff}.${network & 0xff}`;
  const shared = {
    node_key,
    endpoint: `${octets}.${1 + (i % OF_NETWORK)}:20000`,
    reached: null,
    network: `${octets}.0/24`,
    payout_address: createOwner('worst').payoutAddress,
    verified_at: nowMs,
  };
  return {
    claim: {
      ...shared,
      ...{ id: `clm_${node_key.slice(0, 22)}`, state: 'verified', domain: 'coin.example' },
      ...{ registry_key: '00'.repeat(32), endpoint_token: node_key.slice(0, 16), nonce: node_key },
      ...{ client: '', client_56: null, client_48: null, address_signature: '', node_signature: '' },
      ...{ issued_at: nowMs, expires_at: nowMs, open_until: nowMs },
    },
    node: {
      ...shared,
      ...{ state: 'active', claim_id: `clm_${node_key.slice(0, 22)}`, registered_at: nowMs },
      ...{ first_passed_at: nowMs, last_passed_at: nowMs, passed: 13, failed: 1, voided: 0, fails_in_row: 0 },
      ...{ judged_until: nowMs, next_look_at: nowMs + 86_400_000, last_verdict: 'pass', last_reason: null },
      ...{
        last_sequence: i,
        lag: 0,
        user_agent: '/Worst:1.0/',
        protocol_version: 70_016,
        endpoint_proven: 1,
      },
    },
  };
}

function describeReceipt(
  sequence: number,
  nodes: readonly { node: RegistryNodeTable }[],
): RegistryReceiptTable {
  const { node } = nodes[sequence % nodes.length]!;
  const at = '2026-01-01T00:00:00.000Z';
  const document = JSON.stringify({
    ...{ type: 'node-receipt', version: 1, network: '00'.repeat(32), registry_key: '00'.repeat(32) },
    ...{
      sequence,
      previous_hash: '00'.repeat(32),
      epoch: CLOSED_EPOCH,
      height: 1,
      block_hash: '00'.repeat(32),
    },
    ...{ issued_at: at, kind: 'probe', node_key: node.node_key, endpoint: node.endpoint },
    ...{
      payout_address: node.payout_address,
      slots: { from: at, to: at, count: 1 },
      verdict: 'pass',
      reason: null,
    },
    ...{ attempts: [{ at, result: 'pass', reason: null }], observed: null },
  });
  return {
    ...{ sequence, epoch: CLOSED_EPOCH, node_key: node.node_key, document },
    ...{ hash: hashRegistryText(document), signature: '00'.repeat(64) },
  };
}

/** What requests to the registry use up: each registers a node that nobody knows yet. */
export function listFreshClaims(client: ServiceClient): FreshOfRoutes {
  let made = 0;
  const newOwner = (): { owner: NodeOwner; body: object } => {
    made += 1;
    const owner = createOwner(`worst ${made}`);
    const endpoint = `127.200.${made >> 3}.${1 + (made % 8)}:20000`;
    return { owner, body: { node_key: owner.nodeKey, endpoint, payout_address: owner.payoutAddress } };
  };
  return {
    'POST /api/nodeproof/register': [{ name: 'a new node', make: async () => ({ body: newOwner().body }) }],
    'GET /api/nodeproof/claim/{id}': [
      {
        name: 'an open claim',
        make: async () => ({
          values: { id: (await client.send('POST', '/api/nodeproof/register', newOwner().body)).id },
        }),
      },
    ],
    'POST /api/nodeproof/claim/verify': [
      {
        name: 'a signed claim',
        async make() {
          const { owner, body } = newOwner();
          const { id, message } = await client.send('POST', '/api/nodeproof/register', body);
          return { body: { claim_id: id, ...owner.sign(message) } };
        },
      },
    ],
  };
}
