import { getHexBytes, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { serializeTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { expect } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import type { IntentTable, TreasuryTables } from '../../service/src/parts/treasury/schema/treasury-tables.ts';
import { findMismatches } from '../../service/src/testing/document-schemas.ts';
import type { DatabaseLocation } from '../harness/engines.ts';
import { type TestNode, waitUntil } from '../harness/litecoind.ts';
import { openBeside } from '../harness/precious-rows.ts';
import {
  mineExactly,
  type RawCoin,
  type RawOutput,
  type RawTx,
  scriptOf,
  spend,
} from '../harness/raw-coins.ts';
import { type ServiceAnswer, startService, type TestService } from '../harness/service.ts';

export const profile = getShippedProfile('regtest');
export const treasury = profile.treasury!;
/** The treasury of regtest can be spent by anyone: P2WSH of OP_2. */
const WITNESS_SCRIPT = Uint8Array.of(0x52);
const FEE = 1_000n;
const CHANGE_OWNER = 9;
const REPLACEABLE = 0xffff_fffd;
/** Of a series. */
const MOST_POINTS = 500;

export type Contributor = { id: string; secret: string };
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, and a wrong field fails its expectation
export type Json = any;
/** An output of the treasury. */
export type TreasuryCoin = { txid: string; vout: number; value: bigint };

type Document = {
  paths: Record<
    string,
    Record<
      'get' | 'post',
      { responses: Record<number, { description: string; content: Record<string, { schema: object }> }> }
    >
  >;
};

/** A service with a treasury, and hands on its tables. */
export type TreasuryDesk = {
  readonly service: TestService;
  readonly precious: Precious;
  get(path: string): Promise<ServiceAnswer>;
  /** Posts; every answer is held against the document. */
  ask(path: string, body: object): Promise<ServiceAnswer>;
  /** Posts, and expects a status. */
  post(path: string, body: object, status: number): Promise<Json>;
  register(nickname?: string): Promise<Contributor>;
  intent(contributor: Contributor, more?: object): Promise<Json>;
  /** Asks `/verify`; gives status, body and headers. */
  verify(txid: string, intentId: string, more?: object): Promise<ServiceAnswer>;
  /** Waits until the ledger is at the node's best block. */
  settle(): Promise<void>;
  /** Mines a block of exactly these transactions, and waits for the ledger. */
  mine(...txs: RawTx[]): Promise<string>;
  /** Mines empty blocks, and waits for the ledger. */
  deepen(blocks: number): Promise<void>;
  /** The whole ledger, oldest first. */
  ledger(): Promise<Json[]>;
  /** The entries of a transaction, oldest first. */
  entriesOf(txid: string): Promise<Json[]>;
  /** The reconciliation, which must be at the tip, explain everything, and agree with the node's own count. */
  reconciled(): Promise<Json>;
  /** {@link reconciled}, and that the ledger adds up: entry by entry, kind by kind, block by block, each reversal with its entry. */
  checkBooks(): Promise<Json>;
  change(intentId: string, columns: Partial<IntentTable>): Promise<void>;
  stop(): Promise<void>;
};

/** Starts the service. The caller stops it, and the node. */
export async function openTreasuryDesk(
  node: TestNode,
  database: DatabaseLocation,
  settings: Readonly<Record<string, string>> = {},
): Promise<TreasuryDesk> {
  const service = await startService({ nodeUrl: node.url, database, settings });
  const precious = await openBeside(database);
  const document = (await service.get('/api/treasury/openapi.json')).json as Document;
  const get = async (path: string) =>
    checkDocumented(document, 'get', path, await service.get(`/api/treasury${path}`));
  const send = async (path: string, body: object) =>
    checkDocumented(document, 'post', path, await service.post(`/api/treasury${path}`, body));

  const desk: TreasuryDesk = {
    service,
    precious,
    get,
    ask: send,
    async post(path, body, status) {
      const answer = await send(path, body);
      expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
      return answer.json;
    },
    async register(nickname) {
      const body = nickname === undefined ? {} : { nickname, public_display: true };
      const { id, contributor_secret } = await desk.post('/contributors', body, 201);
      return { id, secret: contributor_secret };
    },
    intent: ({ secret }, more = {}) =>
      desk.post('/intents', { contributor_secret: secret, amount: '0.01', ...more }, 201),
    verify: (txid, intent_id, more = {}) => send('/verify', { txid, intent_id, ...more }),
    settle: () =>
      waitUntil(`the ledger is at the node's best block`, async () => {
        const best = await node.rpc<string>('getbestblockhash');
        return (await get('/ledger?limit=1')).json.as_of?.hash === best;
      }).catch((error: Error) => {
        throw new Error(`${error.message}\n${service.printed()}`);
      }),
    async mine(...txs) {
      const hash = await mineExactly(node, txs);
      await desk.settle();
      return hash;
    },
    async deepen(blocks) {
      for (let i = 0; i < blocks; i++) await mineExactly(node, []);
      await desk.settle();
    },
    async ledger() {
      const items: Json[] = [];
      for (let query = '?limit=100'; ; ) {
        const { json } = await get(`/ledger${query}`);
        items.unshift(...json.items.reverse());
        if (json.next_cursor === null) return items;
        query = `?limit=100&cursor=${json.next_cursor}`;
      }
    },
    entriesOf: async (txid) => (await desk.ledger()).filter((entry) => entry.txid === txid),
    async reconciled() {
      await desk.settle();
      const { json } = await get('/status');
      const { reconciliation } = json;
      expect(json.unreconciled_reason).toBeNull();
      expect(reconciliation).toMatchObject({ difference: '0.00000000', unexplained: [] });
      expect(reconciliation.as_of.hash).toBe(await node.rpc('getbestblockhash'));
      const scanned = await node.client.callText<{ total_amount: string }>('scantxoutset', [
        'start',
        [`addr(${treasury.address})`],
      ]);
      expect(reconciliation.utxo_total).toBe(scanned.total_amount);
      return reconciliation;
    },
    async checkBooks() {
      const reconciliation = await desk.reconciled();
      const entries = await desk.ledger();
      let balance = 0n;
      for (const [i, entry] of entries.entries()) {
        balance += units(entry.amount);
        expect([entry.sequence, units(entry.balance)]).toEqual([i + 1, balance]);
      }
      expect(units(reconciliation.ledger_total)).toBe(balance);
      const standing = entries.filter(({ state }) => state !== 'reversed');
      const { points } = (await get(`/series?points=${MOST_POINTS}`)).json;
      checkSeries(points, standing);
      await checkSpan(get, points);
      const sum = (kind: string) =>
        standing
          .filter((entry) => entry.kind === kind)
          .reduce((total, { amount }) => total + units(amount), 0n);
      const { verified_in, confirming_in, unattributed_in, coinbase_in, change_in, out, fees } =
        reconciliation;
      expect(units(verified_in) + units(confirming_in)).toBe(sum('contribution'));
      expect(units(unattributed_in)).toBe(sum('unattributed'));
      expect(units(coinbase_in)).toBe(sum('coinbase'));
      expect(units(change_in)).toBe(sum('change'));
      expect([-units(out), -units(fees)]).toEqual([sum('spend'), sum('fee')]);
      for (const entry of entries.filter(({ kind }) => kind === 'reversal')) {
        const taken = entries[entry.reverses - 1];
        expect([taken.reversed_by, units(taken.amount), taken.txid]).toEqual([
          entry.sequence,
          -units(entry.amount),
          entry.txid,
        ]);
      }
      return reconciliation;
    },
    async change(id, columns) {
      await precious
        .query<TreasuryTables>()
        .updateTable('treasury_intent')
        .set(columns)
        .where('id', '=', id)
        .execute();
    },
    async stop() {
      await precious.close();
      await service.stop();
    },
  };
  return desk;
}

/** Balance and flow over time are those of the blocks of the chain, whatever was written about them, and when. */
function checkSeries(points: Json[], standing: Json[]): void {
  const comes = ['contribution', 'unattributed', 'coinbase'];
  const sum = (height: number, counts: (entry: Json) => boolean) =>
    standing
      .filter((entry) => entry.height <= height && counts(entry))
      .reduce((total, { amount }) => total + units(amount), 0n);
  expect(
    points.map(({ height, balance, received, spent }) => [
      ...[height, units(balance)],
      ...[units(received), -units(spent)],
    ]),
  ).toEqual(
    points.map(({ height }) => [
      ...[height, sum(height, () => true)],
      ...[sum(height, ({ kind }) => comes.includes(kind)), sum(height, ({ kind }) => !comes.includes(kind))],
    ]),
  );
  const heights = new Set(standing.filter(({ kind }) => kind !== 'note').map(({ height }) => height));
  expect(heights.size).toBeLessThan(MOST_POINTS - 2);
  expect(points.map(({ height }) => height)).toEqual(expect.arrayContaining([...heights]));
}

/** From block to block it says what it says of these blocks over all of the chain. */
async function checkSpan(get: TreasuryDesk['get'], points: Json[]): Promise<void> {
  const [first, last] = [points[Math.floor(points.length / 3)], points.at(-2) ?? points[0]];
  const span = `from_height=${first.height}&to_height=${last.height}`;
  const within = points.filter(({ height }) => height >= first.height && height <= last.height);
  expect((await get(`/series?${span}`)).json.points).toEqual(within);
  expect((await get(`/series?from_height=${last.height}`)).json.points).toEqual(
    points.filter(({ height }) => height >= last.height),
  );
}

/** Every answer is one that the document tells of: its body, or its code. */
function checkDocumented(
  document: Document,
  method: 'get' | 'post',
  path: string,
  answer: ServiceAnswer,
): ServiceAnswer {
  const described = document.paths[path.replace(/\?.*/, '')]?.[method]?.responses[answer.status];
  const where = `${method} ${path} ${answer.status}`;
  expect(described, where).toBeDefined();
  if (answer.status >= 400) expect(described!.description, where).toContain(`\`${answer.json.code}\``);
  else {
    const { schema } = described!.content['application/json']!;
    expect(findMismatches(schema as never, document as never, answer.json), where).toEqual([]);
  }
  return answer;
}

/** Coins in base units. */
export function units(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** Pays the treasury these values out of a coin, with a carrier where one is given; the rest is change. */
export function contribute(
  coin: RawCoin,
  values: readonly bigint[],
  { carrier, fee = FEE }: { carrier?: string; fee?: bigint } = {},
): RawTx {
  const outputs: RawOutput[] = [
    ...values.map((value) => ({ value, script: treasury.script })),
    ...(carrier === undefined ? [] : [{ value: 0n, script: getHexBytes(carrier) }]),
  ];
  const sum = values.reduce((total, value) => total + value, 0n);
  outputs.push({ value: coin.value - sum - fee, owner: CHANGE_OWNER });
  return spend([coin], outputs, { sequence: REPLACEABLE });
}

/** Spends coins of the treasury, and others' where they are given, to these outputs; the rest is the fee. */
export function spendTreasury(
  coins: readonly TreasuryCoin[],
  outputs: readonly { value: bigint; script?: Uint8Array }[],
): RawTx {
  const tx = {
    version: 2,
    inputs: coins.map(({ txid, vout }) => ({
      prevTxid: getValue(parseDisplayHash(txid)),
      prevVout: vout,
      scriptSig: new Uint8Array(0),
      sequence: 0xffff_ffff,
      witness: [WITNESS_SCRIPT],
    })),
    outputs: outputs.map(({ value, script }) => ({ value, script: script ?? scriptOf(CHANGE_OWNER) })),
    locktime: 0,
    hasWitness: true,
    mweb: undefined,
  };
  const hex = Buffer.from(serializeTransaction(tx, { witness: true })).toString('hex');
  return { txid: toDisplayHash(txidOf(tx)), hex, coins: [] };
}
