import { encodeAddress } from '@coinfront/protocol/address.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { HDKey } from '@scure/bip32';
import { sha256 } from '../chain/scripts.ts';
import type { BusyPool } from './busy-pool.ts';
import type { Contributors } from './contributors.ts';
import type { Heavy } from './heavy-blocks.ts';
import type { LargeShop } from './large-shop.ts';
import type { Facts } from './list-requests.ts';
import type { ManyNodes } from './many-nodes.ts';
import type { Operations } from './protocol-blocks.ts';
import type { ShopDesk } from './shop-desk.ts';
import type { TokenDesk } from './token-desk.ts';

/** What can be asked of a chain, by the name of the parameter. */
export type Known = {
  profile: CoinProfile;
  heavy: Heavy;
  operations: Operations;
  tipHeight: number;
  /** What has to be there before a route of it can do any work. */
  shop: LargeShop & Omit<ShopDesk, 'fresh'>;
  nodes: ManyNodes;
  pool: BusyPool;
  tokens: Omit<TokenDesk, 'fresh'>;
  treasury: Omit<Contributors, 'fresh'>;
};

const PAGE_STARTS = [0, 25, 1_000, 20_000];
const EPOCHS = 2;

/** The facts of a chain for {@link listRoutes}; ids that nothing has are among them, since a search for nothing costs, too. */
export function listFacts(known: Known): Facts {
  const { profile, heavy, operations, tipHeight, shop, nodes, pool, tokens } = known;
  const hub = encodeAddress(heavy.hub, profile)!;
  const { address: owner } = operations.owner;
  const someId = (prefix: string): string[] => [`${prefix}_${'0'.repeat(20)}`];
  return {
    address: [hub, owner, pool.payee],
    // Of a part of an address nothing is looked for.
    prefix: [hub, 'q'],
    'names.prefix': ['w', operations.names[0]!],
    scripthash: [heavy.hub, operations.owner.script].map((script) => sha256(script).toString('hex')),
    txid: heavy.txids,
    last_seen_txid: heavy.txids,
    id: heavy.blocks,
    hash: heavy.blocks,
    height: [0, 120, tipHeight].map(String),
    index: PAGE_STARTS.map(String),
    vout: PAGE_STARTS.map(String),
    range: ['1m', 'all'],
    points: ['500'],
    blocks: ['500'],
    direction: ['received', 'sent'],
    from_date: ['2000-01-01'],
    to_date: ['2100-01-01'],
    q: [hub, heavy.txids[0]!, 'worst', '1', 'a b'],
    sha256: [operations.digest],
    name: [operations.names[0]!, 'nobody.coin'],
    token_id: operations.tokenIds.slice(0, 2),
    payment_id: [shop.muchPaidId, shop.openIds[0]!],
    order_id: ['10023'],
    created_from: ['2000-01-01'],
    created_to: ['2100-01-01'],
    since: ['2000-01-01T00:00:00Z'],
    status: ['open', 'open,underpaid,detected,confirming,paid,overpaid,expired,cancelled,reorged'],
    key_id: someId('key'),
    delivery_id: [...shop.deliveryIds, ...someId('dlv')],
    webhook_id: [...shop.webhookIds.slice(0, 2), ...someId('whk')],
    refund_id: [shop.refundId, ...someId('ref')],
    source: ['ckpool'],
    first_input: PAGE_STARTS.map(String),
    first_output: PAGE_STARTS.map(String),
    first_witness: [0, 5_000, 2_000_000, 3_899_000].map(String),
    node_key: [...nodes.nodeKeys, '8a875fff1eb38451577acd5afee405456568dd7c89e090863a0557bc7af49f17'],
    sequence: nodes.sequences,
    'nodes.hash': nodes.statements,
    'nodes.from': ['0', '1'],
    'nodes.to': ['1'],
    epoch: Array.from({ length: EPOCHS }, (_, i) => String(i)),
    key: listWallets(profile),
    'nodes.id': ['clm_5a1yXlqS6Gq3n0w1b2c3dA'],
    submission_id: [tokens.submissionId, 'tms_AAAAAAAAAAAAAAAAAAAAAA'],
    'tokens.sha256': [tokens.logoSha256],
    'pages.document': ['chain', 'esplora'],
    'pages.number': ['1', '8'],
  };
}

/** A public key, and three of them whose addresses are of all three: what takes longest to derive. */
export function listWallets({ extendedPublicVersion, extendedPrivateVersion }: CoinProfile): string[] {
  const versions = { public: extendedPublicVersion, private: extendedPrivateVersion };
  const keys = [1, 2, 3].map(
    (n) => HDKey.fromMasterSeed(new Uint8Array(32).fill(n), versions).publicExtendedKey,
  );
  const all = keys.map((key) => `${key}/<0;1>/*`).join(',');
  return [keys[0]!, `wsh(sortedmulti(2,${all}))`];
}

/** Bodies that ask for the most: payments from the script with most outputs, to many recipients. */
export function listExamples(known: Known): Record<string, object | readonly object[]> {
  const { profile, heavy, operations, treasury } = known;
  const hub = encodeAddress(heavy.hub, profile)!;
  const { address: owner } = operations.owner;
  const [tokenId] = operations.tokenIds;
  const salt = '03'.repeat(16);
  return {
    'tokens /tok/encode/create': {
      ticker: 'WORST',
      decimals: 2,
      premine: '1000.00',
      mintable: true,
      address: hub,
    },
    'tokens /tok/encode/mint': { token_id: tokenId, amount: '1.00', to: hub, address: owner },
    'tokens /tok/encode/transfer': {
      token_id: tokenId,
      recipients: Array.from({ length: 10 }, () => ({ to: hub, amount: '1.00' })),
      address: hub,
    },
    'tokens /tok/encode/burn': { token_id: tokenId, amount: '1.00', address: hub },
    'tokens /tok/encode/sweep': { to: hub, address: owner },
    'names /encode/commit': { name: 'someone.coin', salt, owner: hub, address: hub },
    'names /encode/register': { name: 'someone.coin', salt, periods: 1, address: hub },
    'names /encode/transfer': { name: operations.names[0], to: hub, address: hub },
    'names /encode/records': {
      name: operations.names[0],
      records: { url: 'https://worst.example/' },
      address: hub,
    },
    'names /name/{name}/records': { records: { url: 'https://worst.example/' } },
    'names /encode/reverse': { name: operations.names[0], address: hub },
    'names /reverse': { addresses: Array.from({ length: 100 }, () => owner) },
    'names /encode/renew': { name: operations.names[0], periods: 2, address: hub },
    // A hundred of what a wallet asks, and a hundred of the dearest.
    'chain /batch': [
      { reads: Array.from({ length: 100 }, () => `/address/${hub}`) },
      { reads: Array.from({ length: 100 }, () => `/address/${hub}/txs?limit=100`) },
      { reads: heavy.txids.slice(0, 10).flatMap((txid) => Array.from({ length: 10 }, () => `/tx/${txid}`)) },
    ],
    'chain /xpub': listWallets(profile).map((key) => ({ key, gap_limit: 100 })),
    'chain /xpub/txs': listWallets(profile).map((key) => ({ key, gap_limit: 100, limit: 100 })),
    'chain /payments': { amount: '0.05000000', order_id: '10023', recipient: hub },
    'chain /merchant': { default_confirmations: 2 },
    'chain /payments/{payment_id}/refunds': { amount: '0.00006000', address: owner, note: 'n'.repeat(500) },
    'chain /payments/{payment_id}/refunds/{refund_id}/transaction': [
      { from: [{ address: hub }], change_address: owner },
      { change_address: owner },
    ],
    'chain /payments/{payment_id}/refunds/{refund_id}/sent': heavy.txids.map((txid) => ({ txid })),
    'treasury /me': { contributor_secret: treasury.secret },
    'treasury /receipt': { contributor_secret: treasury.secret, sequence: 1 },
    'treasury /claim': {
      ...{
        contributor_secret: treasury.secret,
        txid: treasury.txid,
        vout: 0,
        address: owner,
        signature: 'smpAA==',
      },
    },
    'treasury /intents': {
      ...{ contributor_secret: treasury.secret, amount: '0.01', method: 'carrier', address: hub },
    },
    'treasury /verify': [
      { txid: treasury.txid, intent_id: treasury.intentId },
      { txid: heavy.txids[0], intent_id: treasury.intentId },
    ],
  };
}
