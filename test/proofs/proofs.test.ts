import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { verifyMerkleBranch } from '@coinfront/protocol/merkle.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { awaitRoomInDay } from '../harness/await-room-in-day.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { type ServiceAnswer, startService, type TestService } from '../harness/service.ts';

const MARKER = '56504631';
/** Of the node's own wallet, enough for every test. */
const MATURE_BLOCKS = 110;

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(MATURE_BLOCKS);
});
afterAll(() => node.stop());

function randomDigest(): string {
  return randomBytes(32).toString('hex');
}

/** A transaction of the node's wallet with one carrier output for each payload; not sent. */
async function signCarrier(...payloads: string[]): Promise<string> {
  // The wallet's RPC takes one data output: more are added by hand, before it is funded and signed.
  const [first, ...more] = payloads;
  const blank = await node.rpc<string>('createrawtransaction', [], [{ data: first }]);
  const outputs = (1 + more.length).toString(16).padStart(2, '0');
  const carriers = more.map((payload) => `0000000000000000266a24${payload}`).join('');
  const wide = blank.replace(
    /01(0{16}26.*)00000000$/,
    (_, output) => `${outputs}${output}${carriers}00000000`,
  );
  const funded = await node.rpc<{ hex: string }>('fundrawtransaction', more.length === 0 ? blank : wide, {
    lockUnspents: true,
    changePosition: payloads.length,
  });
  return (await node.rpc<{ hex: string }>('signrawtransactionwithwallet', funded.hex)).hex;
}

async function sendCarrier(...payloads: string[]): Promise<string> {
  return await node.rpc<string>('sendrawtransaction', await signCarrier(...payloads));
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Checks a proof with nothing but itself and the hash of its block. */
function verifyOffline(digest: string, proof: ServiceAnswer['json'], blockHash: string): void {
  const { primary } = proof;
  const tx = getHexBytes(primary.tx);
  const output = getValue(parseTransaction(tx)).outputs[primary.vout]!;
  expect(Buffer.from(output.script).toString('hex')).toBe(`6a24${MARKER}${digest}`);
  const txid = sha256(sha256(tx));
  expect(Buffer.from(txid).reverse().toString('hex')).toBe(primary.txid);
  expect(tx.length).not.toBe(64);
  const header = getHexBytes(primary.header);
  expect(
    Buffer.from(sha256(sha256(header)))
      .reverse()
      .toString('hex'),
  ).toBe(blockHash);
  const branch = primary.branch.map((hash: string) => getValue(parseDisplayHash(hash)));
  expect(verifyMerkleBranch(txid, branch, primary.position, header.subarray(36, 68))).toEqual({
    ok: true,
    value: true,
  });
}

const SCRIPT = join(import.meta.dirname, '..', '..', 'examples', 'proofs', 'verify-proof.js');

/** Runs the script of docs/proofs.md as a user does: with a file, the answer of a look-up, and forged ones. */
async function expectScriptVerifies(service: TestService): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-proof-'));
  const [file, answer] = [join(folder, 'file'), join(folder, 'proof.json')];
  const content = randomBytes(500);
  const digest = createHash('sha256').update(content).digest('hex');
  await sendCarrier(MARKER + digest);
  const [hash] = await node.mine(1);
  await service.waitForTip(hash!);
  const { json } = await service.get(`/api/v1/proof/lookup/${digest}`);
  const run = async (proof: object, bytes = content) => {
    await writeFile(file, bytes);
    await writeFile(answer, JSON.stringify(proof));
    return await promisify(execFile)(process.execPath, [SCRIPT, file, answer]).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    );
  };
  expect(await run(json)).toBe(`${hash} ${json.primary.block_time}`);
  expect(await run(json, randomBytes(500))).toBeUndefined();
  const flip = (hex: string, at: number) =>
    `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}`;
  for (const change of [
    { tx: flip(json.primary.tx, 20) },
    { header: flip(json.primary.header, 90) },
    { branch: json.primary.branch.map((each: string) => flip(each, 7)) },
    { vout: json.primary.vout + 1 },
    { position: json.primary.position ^ 1 },
    // The same bits of a position above the tree, and in the numbers that wrap around.
    { position: json.primary.position + 2 ** json.primary.branch.length },
    { position: json.primary.position + 2 ** 32 },
    { position: json.primary.position - 2 ** 32 },
  ])
    expect(await run({ primary: { ...json.primary, ...change } }), JSON.stringify(change)).toBeUndefined();
  await rm(folder, { recursive: true });
}

test('the page for users of the API has the very script that is run here', async () => {
  const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'proofs.md'), 'utf8');
  expect(page).toContain(await readFile(SCRIPT, 'utf8'));
});

forEachEngine('proofs', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: {
        COINFRONT_ANCHOR_WALLET: 'main',
        COINFRONT_ANCHOR_DAILY: '6',
        COINFRONT_ANCHOR_DAILY_PER_CLIENT: '5',
      },
    });
  });
  afterAll(() => service.stop());

  const lookUp = async (digest: string, query = '') => {
    const answer = await service.get(`/api/v1/proof/lookup/${digest}${query}`);
    expect(answer.status).toBe(200);
    return answer.json;
  };
  const anchor = (digest: string) => service.post('/api/v1/proof/anchor', { sha256: digest });
  const mine = async (count = 1) => {
    const hashes = await node.mine(count);
    await service.waitForTip(hashes.at(-1)!);
    return hashes;
  };

  test('of a digest that nobody anchored are unknown, and not invented', async () => {
    const digest = randomDigest();
    expect(await lookUp(digest)).toMatchObject({
      sha256: digest,
      state: 'unknown',
      anchors: 0,
      primary: null,
      pending: [],
      further: [],
      script: `6a24${MARKER}${digest}`,
    });
    expect((await service.get(`/api/v1/search?q=${digest}`)).json.items).toEqual([]);
  });

  test('go from the mempool to confirmed to final, and check offline', async () => {
    const digest = randomDigest();
    const txid = await sendCarrier(MARKER + digest);
    await service.waitForMempool();
    expect(await lookUp(digest)).toMatchObject({ state: 'mempool', pending: [{ txid }], primary: null });
    expect((await anchor(digest)).json).toMatchObject({ result: 'pending', txid });

    const [hash] = await mine();
    const confirmed = await lookUp(digest.toUpperCase());
    expect(confirmed).toMatchObject({ state: 'confirmed', anchors: 1, pending: [] });
    expect(confirmed.primary).toMatchObject({ txid, block_hash: hash, confirmations: 1 });
    const block = await node.rpc<{ time: number; mediantime: number }>('getblockheader', hash);
    expect(Date.parse(confirmed.primary.block_time) / 1000).toBe(block.time);
    expect(Date.parse(confirmed.primary.median_time) / 1000).toBe(block.mediantime);
    verifyOffline(digest, confirmed, hash!);
    expect((await anchor(digest)).json).toMatchObject({
      result: 'anchored',
      txid,
      proof: { state: 'confirmed' },
    });
    expect((await service.get(`/api/v1/search?q=${digest}`)).json.items).toEqual([
      { kind: 'proof', id: digest, path: `/api/v1/proof/lookup/${digest}` },
    ]);

    await mine(4);
    expect((await lookUp(digest)).state).toBe('confirmed');
    await mine();
    expect((await lookUp(digest)).state).toBe('final');
  });

  test('check with the script of the documentation, which no forgery passes', async () => {
    await expectScriptVerifies(service);
  });

  test('take the first output as primary, and list all others, page by page', async () => {
    const digest = randomDigest();
    const other = randomDigest();
    // Nodes relay one carrier a transaction; blocks may have as many as they like.
    const four = [MARKER + other, MARKER + digest, MARKER + digest, MARKER + digest];
    const raw = await signCarrier(...four);
    const { txid: first } = await node.rpc<{ txid: string }>('decoderawtransaction', raw);
    const { hash } = await node.rpc<{ hash: string }>('generateblock', await node.newAddress(), [raw]);
    await service.waitForTip(hash);
    const later: string[] = [];
    for (let i = 0; i < 3; i++) {
      later.unshift(await sendCarrier(MARKER + digest));
      await mine();
    }
    const proof = await lookUp(digest);
    expect(proof.anchors).toBe(6);
    expect(proof.primary).toMatchObject({ txid: first, vout: 1 });
    // The order of the protocol backwards: height, transaction, output.
    const all = [...later.map((txid) => [txid, 0]), [first, 3], [first, 2]];
    expect(proof.further.map(({ txid, vout }: { txid: string; vout: number }) => [txid, vout])).toEqual(all);

    const paged: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await lookUp(digest, `?limit=1${cursor && `&cursor=${cursor}`}`);
      paged.push(...page.further.map(({ txid, vout }: { txid: string; vout: number }) => [txid, vout]));
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(all);
  });

  test('are only those of the exact script: other payloads, lengths and markers carry nothing', async () => {
    const digest = randomDigest();
    for (const payload of [
      `56504632${digest}`,
      `${MARKER}${digest}00`,
      `${MARKER}${digest.slice(2)}`,
      digest,
    ]) {
      await sendCarrier(payload);
    }
    await mine();
    expect(await lookUp(digest)).toMatchObject({ state: 'unknown', anchors: 0 });
  });

  test('that are recent come newest first, page by page, and are as many as the status says', async () => {
    const digests: string[] = [];
    for (let i = 0; i < 4; i++) {
      digests.unshift(randomDigest());
      await sendCarrier(MARKER + digests[0]);
      await mine();
    }
    const { items, next_cursor } = (await service.get('/api/v1/proof/recent?limit=3')).json;
    expect(items.map((item: { sha256: string }) => item.sha256)).toEqual(digests.slice(0, 3));
    const second = (await service.get(`/api/v1/proof/recent?limit=100&cursor=${next_cursor}`)).json;
    expect(second.items[0].sha256).toBe(digests[3]);
    const status = (await service.get('/api/v1/proof/status')).json;
    expect(status.anchors).toBe(3 + second.items.length);
    expect((await service.get('/api/v1/proof/recent?limit=1&cursor=AAAA')).json.code).toBe('invalid_cursor');
  });

  test('follow a reorganisation: back to the mempool, and into another block', async () => {
    const digest = randomDigest();
    const txid = await sendCarrier(MARKER + digest);
    const [hash] = await mine();
    const before = (await service.get('/api/v1/proof/status')).json.anchors;
    await node.rpc('invalidateblock', hash);
    const empty = await node.rpc<{ hash: string }>('generateblock', await node.newAddress(), []);
    await service.waitForTip(empty.hash);
    await service.waitForMempool();
    expect(await lookUp(digest)).toMatchObject({ state: 'mempool', anchors: 0, pending: [{ txid }] });
    expect((await service.get('/api/v1/proof/status')).json.anchors).toBe(before - 1);
    const [again] = await mine();
    expect((await lookUp(digest)).primary).toMatchObject({ txid, block_hash: again });
    expect((await service.get('/api/v1/proof/status')).json.anchors).toBe(before);
  });

  test('are anchored by the wallet of the node, once for all who ask at once, within the budget', async () => {
    await awaitRoomInDay();
    const digest = randomDigest();
    const answers = await Promise.all(Array.from({ length: 20 }, () => anchor(digest)));
    const txids = new Set(answers.map(({ json }) => json.txid));
    expect(txids.size).toBe(1);
    const [txid] = txids;
    expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(0);
    await service.waitForMempool();
    expect((await anchor(digest)).json).toMatchObject({ result: 'pending', txid });
    const carriers = await Promise.all(
      (await node.rpc<string[]>('getrawmempool')).map((id) => node.rpc<string>('getrawtransaction', id)),
    );
    expect(carriers.filter((raw) => raw.includes(digest))).toHaveLength(1);
    const [hash] = await mine();
    verifyOffline(digest, await lookUp(digest), hash!);

    for (let i = 0; i < 4; i++) expect((await anchor(randomDigest())).status).toBe(202);
    const refused = randomDigest();
    expect((await anchor(refused)).json).toMatchObject({
      result: 'script',
      reason: 'daily_limit_per_client',
      txid: null,
      script: `6a24${MARKER}${refused}`,
      payload: MARKER + refused,
    });
    expect((await service.get('/api/v1/proof/status')).json.wallet).toEqual({
      enabled: true,
      daily_limit: 6,
      daily_limit_per_client: 5,
      left_today: 1,
    });
    await service.waitForMempool();
    await mine();
  });

  test('refuse what is no digest, and tell what is wrong', async () => {
    for (const sha256 of ['', 'zz', '00'.repeat(31), '00'.repeat(33), 7, null, ['00'.repeat(32)]]) {
      const answer = await service.post('/api/v1/proof/anchor', { sha256 });
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_body']);
    }
    const more = await service.post('/api/v1/proof/anchor', { sha256: randomDigest(), file: 'secret.pdf' });
    expect([more.status, more.json.code]).toEqual([400, 'invalid_body']);
    expect((await service.get('/api/v1/proof/lookup/00')).status).toBe(400);
  });

  test('have a document of their own', async () => {
    const { json } = await service.get('/api/v1/proof/openapi.json');
    expect(Object.keys(json.paths)).toEqual([
      '/proof/status',
      '/proof/lookup/{sha256}',
      '/proof/recent',
      '/proof/hashes/{height}',
      '/proof/state',
      '/proof/anchor',
      '/proof/batch',
      '/proof/leaf/{sha256}',
      '/proof/ots/{sha256}',
      '/proof/openapi.json',
    ]);
  });
});

test('without a wallet of the operator, a request is answered with the script for one of the caller', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-proofs-'));
  const service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir } });
  try {
    const digest = randomDigest();
    const answer = await service.post('/api/v1/proof/anchor', { sha256: digest });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ result: 'script', reason: 'no_wallet', payload: MARKER + digest });
    await sendCarrier(answer.json.payload);
    await service.waitForTip((await node.mine(1))[0]!);
    expect((await service.get(`/api/v1/proof/lookup/${digest}`)).json.state).toBe('confirmed');
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
