import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { createTokenLedger } from '@coinfront/protocol/testing/token-ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { openDatabase } from '../../service/src/db/open.ts';
import { sql } from '../../service/src/db/statement.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { runAdmin } from '../harness/merchant.ts';
import { mineSigned } from '../harness/signed-blocks.ts';
import { createSigner, fundSigners } from '../harness/signing-wallet.ts';
import { catchUp, openTestIndexer, toServiceLocation } from '../harness/test-indexer.ts';
import { connectToLedger, profile, signRandomOperation, tokenContext } from './token-traffic.ts';

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(120);
  const signers = ['ann', 'ben', 'cat'].map((name) => createSigner(name, profile));
  await fundSigners(node, signers, 100);
  const random = createRandom(5);
  const ledger = createTokenLedger(tokenContext);
  for (let i = 0; i < 12; i++) {
    const signed = Array.from({ length: 6 }, () => signRandomOperation(random, signers, ledger));
    connectToLedger(ledger, await mineSigned(node, signed));
  }
});
afterAll(() => node.stop());

forEachEngine('verify-index', (engine) => {
  let database: DatabaseLocation;

  beforeAll(async () => {
    database = await engine.openUrl();
    const indexer = await openTestIndexer(database);
    await catchUp(node.client, indexer);
    expect(toDisplayHash(indexer.index.state.hash)).toBe(await node.rpc('getbestblockhash'));
    await indexer.close();
  });

  const verify = async (coin = 'regtest') => {
    const outcome = await runAdmin(database, ['verify-index', '--json'], { COINFRONT_COIN: coin });
    return { ...outcome, json: outcome.stdout === '' ? undefined : JSON.parse(outcome.stdout) };
  };
  const change = async (text: string) => {
    const opened = await openDatabase(toServiceLocation(database));
    const writer = await opened.openWriter();
    await writer.run(sql(text));
    await writer.close();
    await opened.close();
  };

  test('finds an index sound that is what its blocks say', async () => {
    const { code, json, stderr } = await verify();
    expect([code, stderr]).toEqual([0, '']);
    expect(json).toMatchObject({ sound: true, height: await node.rpc('getblockcount'), differences: [] });
    expect(json.parts).toEqual(expect.arrayContaining(['tokens', 'names', 'proof_anchors']));
    expect(json.rows).toBeGreaterThan(400);
  });

  test.each([
    [
      'a balance that was changed',
      'update token_balance set amount = amount + 1',
      'update token_balance set amount = amount - 1',
    ],
    [
      'another one who took part',
      'update token_activity set script_id = script_id + 1000000',
      'update token_activity set script_id = script_id - 1000000',
    ],
    [
      'a balance of before that was changed',
      'update token_balance_log set amount = amount + 1',
      'update token_balance_log set amount = amount - 1',
    ],
    [
      'a supply of before that was changed',
      'update token_supply set minted = minted + 1',
      'update token_supply set minted = minted - 1',
    ],
    [
      'another number of a script',
      'update token_script set script_id = script_id + 1000000',
      'update token_script set script_id = script_id - 1000000',
    ],
    [
      'a hash above the tip',
      'insert into token_hash (height, events, chain) select height + 7, events, chain from token_hash order by height desc limit 1',
      'delete from token_hash where height = (select max(height) from token_hash)',
    ],
    [
      'a refusal above the tip',
      "insert into token_refusal (tx_id, reason) values (123456789, 'not_issuer')",
      'delete from token_refusal where tx_id = 123456789',
    ],
    [
      'another reason',
      "update token_refusal set reason = 'not_issuer' where reason = 'balance_too_low'",
      undefined,
    ],
  ])('finds %s', async (_, damage, repair) => {
    await change(damage);
    const { code, json } = await verify();
    expect(code).toBe(1);
    expect(json.sound).toBe(false);
    expect(json.differences.length).toBeGreaterThan(0);
    if (repair !== undefined) {
      await change(repair);
      expect((await verify()).code).toBe(0);
    }
  });

  test('says what it needs, and refuses an index of other rules', async () => {
    expect((await verify('')).stderr).toContain('COINFRONT_COIN');
    const other = await verify('bitcoin-regtest');
    expect(other.code).toBe(1);
    expect(other.stderr).toContain('another version or for another profile');
  });
});
