import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, equalBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { createTokenLedger, type TokenEntry } from '@coinfront/protocol/testing/token-ledger.ts';
import type { TokenRecord } from '@coinfront/protocol/tokens/token-rules.ts';
import { mintLimit } from '@coinfront/protocol/tokens/token-rules.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../scripts/traffic/random.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import {
  listQuietBlocks,
  type MinedBlock,
  mineSigned,
  rememberCoins,
  switchBranch,
} from '../harness/signed-blocks.ts';
import { createSigner, fundSigners, type Signer } from '../harness/signing-wallet.ts';
import {
  connectToLedger,
  listTokenIds,
  playLedger,
  profile,
  signRandomOperation,
  tokenContext,
} from './token-traffic.ts';

const BLOCKS = 18;
const FORK_DEPTH = 8;

let node: TestNode;
let signers: Signer[] = [];
let quiet: MinedBlock[] = [];
let common: MinedBlock[] = [];
let longer: MinedBlock[] = [];
let shorter: MinedBlock[] = [];

async function mineOperations(
  random: Random,
  before: readonly MinedBlock[],
  count: number,
): Promise<MinedBlock[]> {
  const { ledger } = playLedger(before);
  const mined: MinedBlock[] = [];
  for (let i = 0; i < count; i++) {
    const block = await mineSigned(
      node,
      Array.from({ length: random.integer(2, 10) }, () => signRandomOperation(random, signers, ledger)),
    );
    connectToLedger(ledger, block);
    mined.push(block);
  }
  return mined;
}

beforeAll(async () => {
  node = await startNode();
  signers = ['one', 'two', 'three'].map((name) => createSigner(`history ${name}`, profile));
  await node.mine(130);
  await fundSigners(node, signers, 200);
  quiet = await listQuietBlocks(node);
  const random = createRandom(25);
  common = await mineOperations(random, quiet, BLOCKS);
  const goBack = rememberCoins(signers);
  shorter = await mineOperations(random, [...quiet, ...common], FORK_DEPTH);
  await node.rpc('invalidateblock', toDisplayHash(shorter[0]!.hash));
  goBack();
  longer = await mineOperations(random, [...quiet, ...common], FORK_DEPTH);
});
afterAll(() => node.stop());

/** What the rules alone say of every height. */
type Moment = {
  block: MinedBlock;
  tokens: TokenRecord[];
  balances: Map<string, bigint>;
  entries: TokenEntry[];
};

function listMoments(blocks: readonly MinedBlock[]): Moment[] {
  const ledger = createTokenLedger(tokenContext);
  return blocks.map((block) => {
    const entries = connectToLedger(ledger, block);
    const balances = ledger
      .listBalances()
      .map(
        ({ tokenId, script, amount }) => [`${bytesToHex(tokenId)}:${bytesToHex(script)}`, amount] as const,
      );
    return { block, tokens: ledger.listTokens(), balances: new Map(balances), entries };
  });
}

/** An operation of a list, a sweep once for each token. */
type ToldOperation = {
  height: number;
  position: number;
  reason: string | null;
  token: string | null;
  /** Parts of the token that a sweep moved. */
  moved: string | null;
};

/** An amount of parts, without the point that its decimals set. */
const readParts = (amount: string): string => String(BigInt(amount.replace('.', '')));
const showParts = ({ amount }: { amount: bigint }): string => String(amount);

/** What an address had and issued, as the service lists it. */
function describeHoldings({ tokens, balances }: Moment, { script }: Signer) {
  return tokens.flatMap(({ tokenId, terms, issuer, mintingOpen, minted }) => {
    const balance = balances.get(`${bytesToHex(tokenId)}:${bytesToHex(script)}`) ?? 0n;
    const isIssuer = equalBytes(issuer, script);
    if (balance === 0n && !isIssuer) return [];
    const amount = (value: bigint) => formatAmount(value, terms.decimals);
    return {
      token_id: bytesToHex(tokenId),
      ticker: terms.ticker,
      decimals: terms.decimals,
      balance: amount(balance),
      is_issuer: isIssuer,
      mintable: isIssuer && mintingOpen ? amount(mintLimit(terms) - minted) : null,
    };
  });
}

forEachEngine('the history of tokens', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    await node.rpc('reconsiderblock', toDisplayHash(shorter[0]!.hash));
    await node.rpc('invalidateblock', toDisplayHash(longer[0]!.hash));
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    await service.waitForTip();
  });
  afterAll(() => service.stop());

  const read = async (path: string) => {
    const { status, json } = await service.get(`/api/v1${path}`);
    expect([path, status]).toEqual([path, 200]);
    return json;
  };
  const readPages = async (path: string) => {
    const items = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await read(`${path}${cursor && `&cursor=${cursor}`}`);
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    return items;
  };

  const expectBalances = async (moments: readonly Moment[]) => {
    const past = moments.slice(quiet.length - 1);
    let held = 0;
    for (const moment of past) {
      const { height, hash } = moment.block;
      for (const signer of signers) {
        const wanted = describeHoldings(moment, signer);
        const path = `/addresses/${signer.address}/tokens?height=${height}`;
        const { items, balances_at } = await read(`${path}&limit=100`);
        expect([height, items]).toEqual([height, wanted]);
        expect(balances_at).toEqual({ height, hash: toDisplayHash(hash) });
        held += items.length;
        if (height % 5 === 0) expect(await readPages(`${path}&limit=1`)).toEqual(wanted);
      }
    }
    expect(held).toBeGreaterThan(past.length);
  };

  const expectFeed = async (moments: readonly Moment[]) => {
    const wanted = moments.flatMap(({ block: { height }, entries }) =>
      entries.flatMap((entry): ToldOperation[] => {
        const { position } = entry;
        if ('reason' in entry) return [{ height, position, reason: entry.reason, token: null, moved: null }];
        const { event } = entry;
        return listTokenIds(event).map((tokenId, i) => ({
          ...{ height, position, reason: null, token: bytesToHex(tokenId) },
          moved: event.kind === 'sweep' ? showParts(event.moved[i]!) : null,
        }));
      }),
    );
    expect(wanted.filter(({ moved }) => moved !== null).length).toBeGreaterThan(3);
    const rows = (items: Record<string, unknown>[]) =>
      items.map(({ height, position, reason, token_id, kind, amount }) => ({
        ...{ height, position, reason },
        token: reason === null ? token_id : null,
        moved: reason === null && kind === 'SWEEP' ? readParts(amount as string) : null,
      }));
    const valid = wanted.filter(({ reason }) => reason === null);
    expect(valid.length).toBeGreaterThan(20);
    expect(wanted.length).toBeGreaterThan(valid.length);
    expect(rows(await readPages('/tok/events?limit=7'))).toEqual(valid);
    expect(rows(await readPages('/tok/events?limit=7&include=invalid'))).toEqual(wanted);
    const [from, to] = [quiet.length + 2, quiet.length + 6];
    const some = await readPages(`/tok/events?limit=3&from_height=${from}&to_height=${to}`);
    expect(rows(some)).toEqual(valid.filter(({ height }) => height >= from && height <= to));
  };

  /** What each address took part in, and each token, a sweep once for each token that it moved. */
  const expectOwnHistories = async (moments: readonly Moment[]) => {
    const told = (entry: TokenEntry, height: number) => {
      if ('reason' in entry) return [];
      const { event } = entry;
      const others =
        event.kind === 'transfer'
          ? event.shares.map(({ script }) => script)
          : event.kind === 'sweep' || event.kind === 'mint'
            ? [event.recipient]
            : [];
      const scripts = [event.sender, ...others].map(bytesToHex);
      return listTokenIds(event).map((tokenId) => ({
        place: `${height}:${entry.position}:${event.kind.toUpperCase()}`,
        token: bytesToHex(tokenId),
        scripts,
      }));
    };
    const all = moments.flatMap(({ block: { height }, entries }) =>
      entries.flatMap((entry) => told(entry, height)),
    );
    const placesOf = (items: Record<string, unknown>[]) =>
      items.map(({ height, position, kind, token_id }) => `${height}:${position}:${kind} ${token_id}`);
    const wantedOf = (own: typeof all) => own.map(({ place, token }) => `${place} ${token}`).reverse();
    for (const { address, script } of signers) {
      const own = all.filter(({ scripts }) => scripts.includes(bytesToHex(script)));
      expect(placesOf(await readPages(`/addresses/${address}/events?limit=3`))).toEqual(wantedOf(own));
    }
    for (const { tokenId } of moments.at(-1)!.tokens) {
      const own = all.filter(({ token }) => token === bytesToHex(tokenId));
      expect(placesOf(await readPages(`/tokens/${bytesToHex(tokenId)}/events?limit=3`))).toEqual(
        wantedOf(own),
      );
    }
  };

  const expectSupplies = async (moments: readonly Moment[]) => {
    const tip = moments.at(-1)!;
    for (const { tokenId, createdHeight, terms } of tip.tokens) {
      const id = bytesToHex(tokenId);
      const at = (height: number) => {
        const token = moments[height]!.tokens.find((each) => equalBytes(each.tokenId, tokenId))!;
        const { minted, burned, holders } = token;
        const amount = (value: bigint) => formatAmount(value, terms.decimals);
        return {
          ...{ circulating: amount(minted - burned), minted: amount(minted), burned: amount(burned) },
          holders,
        };
      };
      const heights = moments.map(({ block }) => block.height).filter((height) => height >= createdHeight);
      const said = (height: number) => JSON.stringify(at(height));
      const changed = heights.filter(
        (height, i) => i === 0 || said(height) !== said(height - 1) || height === tip.block.height,
      );
      const { points } = await read(`/tokens/${id}/series`);
      const shown = points.filter(({ height }: { height: number }) => changed.includes(height));
      expect(shown.map(({ time, ...point }: { time: string }) => point)).toEqual(
        changed.map((height) => ({ height, ...at(height) })),
      );
      // Closing minting changes nothing that is shown, and may be a point.
      for (const { time, height, ...point } of points) expect(point).toEqual(at(height));
      const spanOf = async (from: number, to: number) =>
        (await read(`/tokens/${id}/series?from_height=${from}&to_height=${to}`)).points;
      const end = points[Math.floor(points.length / 2)].height;
      expect(await spanOf(0, end)).toEqual(points.filter(({ height }: { height: number }) => height <= end));
      expect(await spanOf(end, end)).toEqual(
        points.filter(({ height }: { height: number }) => height === end),
      );
      expect(await spanOf(0, createdHeight - 1)).toEqual([]);
      const ends = (await read(`/tokens/${id}/series?points=2`)).points;
      // Of a token that the tip created both are the same.
      expect(ends).toEqual([...new Set([points[0], points.at(-1)])]);

      const { holders, items } = await read(`/tokens/${id}/holders?limit=100`);
      const distribution = await read(`/tokens/${id}/distribution`);
      const all = items.reduce(
        (sum: number, { balance }: { balance: string }) => sum + Number(balance.replace('.', '')),
        0,
      );
      expect(distribution).toMatchObject({
        token_id: id,
        holders,
        circulating: at(tip.block.height).circulating,
      });
      expect(distribution.largest[0]).toEqual({
        size: 1,
        holders: Math.min(1, holders),
        balance: items[0]?.balance ?? formatAmount(0n, terms.decimals),
        share_ppm: items[0]?.share_ppm ?? 0,
      });
      expect(distribution.largest.slice(1).map(({ size }: { size: number }) => size)).toEqual([10, 50, 100]);
      for (const { holders: summed, balance, share_ppm } of distribution.largest.slice(1)) {
        expect([summed, Number(balance.replace('.', ''))]).toEqual([holders, all]);
        expect(share_ppm).toBe(holders === 0 ? 0 : 1_000_000);
      }
    }
  };

  test('has the balances of every address behind every block', async () => {
    await expectBalances(listMoments([...quiet, ...common, ...shorter]));
  });

  test('lists the operations of all tokens in the order of the chain', async () => {
    await expectFeed(listMoments([...quiet, ...common, ...shorter]));
    await expectOwnHistories(listMoments([...quiet, ...common, ...shorter]));
  });

  test('has supply, holders and distribution of every token', async () => {
    await expectSupplies(listMoments([...quiet, ...common, ...shorter]));
  });

  test('refuses a height above the tip, and lists nothing of it', async () => {
    const { height } = shorter.at(-1)!;
    const path = `/api/v1/addresses/${signers[0]!.address}/tokens?height=${height + 1}`;
    const { status, json } = await service.get(path);
    expect([status, json.code]).toEqual([404, 'block_not_found']);
    expect(json.detail).toContain(String(height));
    expect(await read(`/tok/events?from_height=${height + 1}`)).toMatchObject({
      items: [],
      next_cursor: null,
    });
  });

  test('is after a reorganisation that of the new branch; a cursor of the old one expires', async () => {
    const { height } = shorter.findLast(({ transactions }) => transactions.length > 1)!;
    const path = `/tok/events?include=invalid&limit=1&from_height=${height}`;
    const { next_cursor } = await read(path);
    expect(next_cursor).not.toBeNull();
    // Balances behind a block are of this block: a page behind another one of its height would not go with them.
    const past = signers.map(({ address }) => `/addresses/${address}/tokens?limit=1&height=${height}`);
    const cursors = await Promise.all(past.map(async (each) => (await read(each)).next_cursor));
    expect(cursors).not.toContain(null);
    await switchBranch(node, { from: shorter, to: longer });
    await service.waitForTip(toDisplayHash(longer.at(-1)!.hash));
    expect((await service.get(`/api/v1${path}&cursor=${next_cursor}`)).json.code).toBe('cursor_expired');
    for (const [i, each] of past.entries())
      expect((await service.get(`/api/v1${each}&cursor=${cursors[i]}`)).json.code).toBe('cursor_expired');
    const moments = listMoments([...quiet, ...common, ...longer]);
    await expectBalances(moments);
    await expectFeed(moments);
    await expectOwnHistories(moments);
    await expectSupplies(moments);
  });
});
