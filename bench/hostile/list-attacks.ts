import { encodeAddress } from '@coinfront/protocol/address.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { listWallets } from '../worst/search-facts.ts';
import { type Attack, requestBytes } from './attacks.ts';
import { listElectrumAttacks } from './list-electrum-attacks.ts';
import { manyItemsHex, type Targets } from './targets.ts';

const BATCH_READS = 100;

/** All attacks, over HTTP and over the Electrum protocol. */
export function listAttacks(targets: Targets): Attack[] {
  return [...listHttpAttacks(targets), ...listElectrumAttacks(targets)];
}

/** What is tried one after the other: nothing, each attack, and all at once with a sixth of the connections each. */
export function listTries(attacks: readonly Attack[]): [name: string, attacks: Attack[]][] {
  return [
    ['nobody', []],
    ...attacks.map((attack): [string, Attack[]] => [attack.name, [attack]]),
    ['all at once', attacks.map((attack) => ({ ...attack, connections: Math.ceil(attack.connections / 6) }))],
  ];
}

function listHttpAttacks({ script, txid, hub, manyItems }: Targets): Attack[] {
  const profile = getShippedProfile('regtest');
  const address = encodeAddress(script, profile)!;
  const ask = (path: string): Buffer => requestBytes('GET', path);
  const attack = (name: string, bytes: Buffer, connections: number, pipelined = 1): Attack => {
    return { name, protocol: 'http', bytes, connections, pipelined, reads: true };
  };
  const asked = (name: string, path: string): Attack => attack(name, ask(path), 60);
  const posted = (name: string, path: string, body: string): Attack =>
    attack(name, requestBytes('POST', path, body), 20);
  const piped = (name: string, path: string): Attack => attack(name, ask(path), 60, 1_000);
  const dearest = `/address/${encodeAddress(hub, profile)}/txs?limit=100`;
  const batch = JSON.stringify({ reads: Array.from({ length: BATCH_READS }, () => dearest) });
  const multisig = listWallets(profile).at(-1)!;
  return [
    piped('pipelined /status', '/api/v1/status'),
    piped('pipelined details of 1 MB transactions', `/api/v1/tx/${txid}`),
    piped('pipelined wallets of three keys', `/api/v1/xpub/${encodeURIComponent(multisig)}?gap_limit=100`),
    attack('pipelined batches of 100 reads', requestBytes('POST', '/api/v1/batch', batch), 60, 1_000),
    asked('details of 1 MB transactions', `/api/v1/tx/${txid}`),
    asked('1 MB transactions, raw', `/api/v1/tx/${txid}/raw`),
    asked('1 MB transactions over Esplora', `/esplora/tx/${txid}`),
    asked('millions of witness items over Esplora', `/esplora/tx/${manyItems}`),
    asked('25 transactions of 1 MB', `/esplora/address/${address}/txs`),
    asked('unspent outputs', `/api/v1/address/${address}/utxos?limit=1000`),
    asked('outspends', `/esplora/tx/${txid}/outspends`),
    posted('a million witness items', '/api/v1/broadcast', JSON.stringify({ raw_tx: manyItemsHex })),
    posted('a JSON body of small values', '/api/v1/broadcast', `{"raw_tx":[${'0,'.repeat(900_000)}0]}`),
    posted('a JSON body of many keys', '/api/v1/broadcast', `{${listKeys(180_000)}}`),
    { ...attack('answers that are never read', ask(`/api/v1/tx/${txid}/raw`), 190, 20), reads: false },
    attack('new connections', Buffer.from('GET /api/v1/status HTTP/1.0\r\nHost: a\r\n\r\n'), 190),
  ];
}

function listKeys(count: number): string {
  return Array.from({ length: count }, (_, i) => `"${i.toString(36)}":0`).join(',');
}
