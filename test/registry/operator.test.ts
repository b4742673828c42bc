import { join } from 'node:path';
import type { Receipt } from '@coinfront/protocol/registry/receipt.ts';
import {
  hashRegistryText,
  writeRegistryText,
  writeSignedText,
} from '@coinfront/protocol/registry/receipt.ts';
import { digestOfHead } from '@coinfront/protocol/signed-log/checkpoint.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { getLogCheckpoint } from '@coinfront/sdk/nodes/get-log-checkpoint.ts';
import { getReceipt } from '@coinfront/sdk/nodes/get-receipt.ts';
import { auditEpochReceipts } from '@coinfront/sdk/verify/audit-epoch-receipts.ts';
import { auditLog } from '@coinfront/sdk/verify/audit-log.ts';
import { type ChainSource, chainSource } from '@coinfront/sdk/verify/chain-source.ts';
import { followLog } from '@coinfront/sdk/verify/follow-log.ts';
import { LogError } from '@coinfront/sdk/verify/log-error.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyRegistry } from '../../service/src/parts/registry/audit/verify-registry.ts';
import { openEpochLog } from '../../service/src/parts/registry/log/epoch-log.ts';
import { appendEntries } from '../../service/src/signed-log/append-entries.ts';
import { LogBrokenError, listEntries, listHeads } from '../../service/src/signed-log/log-store.ts';
import type { SignedLogTables } from '../../service/src/signed-log/log-tables.ts';
import { openServiceKey, type ServiceSigner } from '../../service/src/signing/service-key.ts';
import { openEngines } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { makeFolder, type Plan, receiptOf, type WrittenRegistry, writeRegistry } from './rewritten-log.ts';

const EPOCH_BLOCKS = 10;
const FIRST = 13;
const EPOCHS = 4;
const honest: Plan = Array.from({ length: EPOCHS }, (_, i) => ({
  epoch: FIRST + i,
  receipts: [0, 1, 2].map((n) => receiptOf(n === 1 ? 'bob' : 'ann', i * 3 + n, n === 2 ? 'fail' : 'pass')),
}));

/** The plan with another epoch in the place of one. */
function withEpoch(
  at: number,
  change: (receipts: Plan[number]['receipts']) => Plan[number]['receipts'],
): Plan {
  return honest.map((each, i) => (i === at ? { ...each, receipts: change(each.receipts) } : each));
}

/** Epochs dropped, and gone on with; and a log that is begun anew by the same key. */
const later: Plan[number] = { epoch: FIRST + EPOCHS, receipts: [receiptOf('ann', 12, 'pass')] };
const dropped: Plan = [honest[0]!, later];
const begunAnew: Plan = [later];

/** What a client finds: the code of an error, or the first thing that does not fit. */
type Finding = string;

const engines = openEngines();
let node: TestNode;
let service: TestService;
let chain: ChainSource;
let genesisHash = '';
let signer: ServiceSigner;
let folder: Awaited<ReturnType<typeof makeFolder>>;
/** What a client saw of the honest log. */
let kept = '';

async function anchor(digest: string): Promise<void> {
  const blank = await node.rpc<string>('createrawtransaction', [], [{ data: `56504631${digest}` }]);
  const funded = await node.rpc<{ hex: string }>('fundrawtransaction', blank, { lockUnspents: true });
  const signed = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', funded.hex);
  await node.rpc('sendrawtransaction', signed.hex);
}

async function listDigests({ precious }: WrittenRegistry): Promise<string[]> {
  const origin = `node-registry/${signer.publicKey}`;
  return (await listHeads(precious.query<SignedLogTables>(), origin, 0, 100)).map(digestOfHead);
}

const options = (engine = engines[0]!) => ({ engine, signer, genesisHash, epochBlocks: EPOCH_BLOCKS });

/** The honest operator: each epoch is closed, and its checkpoint anchored, when the chain is past it. */
beforeAll(async () => {
  folder = await makeFolder();
  signer = openServiceKey(join(folder.path, 'registry.key'));
  node = await startNode();
  genesisHash = await node.rpc<string>('getblockhash', 0);
  await node.mine((FIRST + 1) * EPOCH_BLOCKS);
  const registry = await writeRegistry(options(), honest);
  for (const digest of await listDigests(registry)) {
    await anchor(digest);
    await node.mine(EPOCH_BLOCKS);
  }
  kept = await getLogCheckpoint(registry.client);
  await registry.close();
  // What an operator anchors in time who drops epochs before he closes the next one.
  for (const plan of [dropped, begunAnew]) {
    const bent = await writeRegistry(options(), plan);
    await anchor((await listDigests(bent)).at(-1)!);
    await bent.close();
  }
  await node.mine(EPOCH_BLOCKS + 5);
  service = await startService({ nodeUrl: node.url, database: await engines[0]!.openUrl() });
  await service.waitForTip();
  chain = chainSource(createClient({ baseUrl: service.origin }));
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await node?.stop();
  await folder?.remove();
});

/** Whoever kept a checkpoint: the log has to go on from it, and the receipts have to be those of the epochs in the log. */
async function askAgain(client: Client, registryKey = signer.publicKey): Promise<Finding> {
  try {
    await followLog(client, { registryKey }, kept);
    return await checkReceipts(client, registryKey);
  } catch (error) {
    if (error instanceof LogError) return error.code;
    throw error;
  }
}

/** Whoever kept nothing, but knows the key and reads the chain. */
async function readTheChain(
  client: Client,
  about: { epochBlocks?: number | undefined; firstEpoch?: number | undefined } = {},
): Promise<Finding> {
  try {
    const { epochBlocks = EPOCH_BLOCKS, firstEpoch } = about;
    const audit = { registryKey: signer.publicKey, genesisHash, epochBlocks, firstEpoch, chain };
    const { epochs, gaps, behind } = await auditLog(client, audit);
    const wrong = epochs.find(({ stand }) => stand !== 'in_time');
    if (wrong !== undefined) return wrong.stand;
    if (gaps.length > 0) return gaps.map(({ from, to }) => `gap ${from}-${to}`).join();
    // One could be closed since, which the honest plan does not have.
    if (behind > 2) return 'behind';
    return await checkReceipts(client, signer.publicKey);
  } catch (error) {
    if (error instanceof LogError) return error.code;
    throw error;
  }
}

/** All receipts of all epochs of the log: signed, and those that their epoch was closed with. */
async function checkReceipts(client: Client, registryKey: string): Promise<Finding> {
  const { epochs } = await auditLog(client, { registryKey, genesisHash, epochBlocks: EPOCH_BLOCKS, chain });
  for (const { summary } of epochs) {
    const verdict = await auditEpochReceipts(client, summary);
    if (!verdict.ok) return verdict.code;
  }
  return 'sound';
}

/** The entries of the log, in their order. */
function listEpochTexts({ precious }: WrittenRegistry): Promise<string[]> {
  const log = precious.query<SignedLogTables>();
  return listEntries(log, `node-registry/${signer.publicKey}`, 0, 100);
}

/** Writes the log anew over other entries. */
async function rewriteLog(
  registry: WrittenRegistry,
  change: (texts: readonly string[]) => readonly string[],
): Promise<void> {
  const texts = change(await listEpochTexts(registry));
  for (const table of ['entry', 'hash', 'head']) await registry.force(`delete from signed_log_${table}`);
  const { publicKey } = signer;
  const log = { origin: `node-registry/${publicKey}`, publicKey, sign: (text: string) => signer.sign(text) };
  await appendEntries(registry.precious.query<SignedLogTables>(), log, texts, 0);
}

/** A receipt of the honest log with another verdict, as a row; signed anew by the operator's key where he takes the trouble. */
async function forgeReceipt(registry: WrittenRegistry, sequence: number, isSigned: boolean): Promise<void> {
  const { receipt, signature } = await getReceipt(registry.client, { sequence });
  const forged = { ...(receipt as Receipt), verdict: 'pass' as const, reason: null };
  const text = writeRegistryText(forged);
  const hash = hashRegistryText(text);
  const signed = isSigned ? signer.sign(writeSignedText('node-receipt', hash)) : signature;
  await registry.force(
    `update registry_receipt set document = '${text}', hash = '${hash}', signature = '${signed}' where sequence = ${sequence}`,
  );
}

/** A way to bend the log: what is served then, and what each client finds. */
type Play = {
  name: string;
  plan?: Plan;
  change?: (registry: WrittenRegistry) => Promise<void>;
  /** What the operator says that an epoch's length is. */
  epochBlocks?: number;
  kept: Finding;
  chain: Finding;
  /** What a client finds that kept nothing but knows the log's first epoch; the same unless given. */
  first?: Finding;
};

const plays: Play[] = [
  { name: 'leaves everything as it was', kept: 'sound', chain: 'sound' },
  {
    name: 'changes a receipt in the database',
    change: (registry) => forgeReceipt(registry, 2, false),
    kept: 'receipt_unsigned',
    chain: 'receipt_unsigned',
  },
  {
    name: 'changes a receipt and signs it anew',
    change: (registry) => forgeReceipt(registry, 2, true),
    kept: 'receipts_changed',
    chain: 'receipts_changed',
  },
  {
    name: 'changes a receipt and signs all receipts, epochs and checkpoints from there on anew',
    plan: withEpoch(0, ([a, b]) => [a!, b!, receiptOf('ann', 2, 'pass')]),
    kept: 'log_forked',
    chain: 'missing',
  },
  {
    name: 'drops a receipt from the database',
    change: (registry) => registry.force('delete from registry_receipt where sequence = 4'),
    kept: 'receipt_missing',
    chain: 'receipt_missing',
  },
  {
    name: 'drops a receipt, and signs everything anew',
    plan: withEpoch(1, ([a, b]) => [a!, b!]),
    kept: 'log_forked',
    chain: 'missing',
  },
  {
    name: 'invents a receipt, and signs everything anew',
    plan: withEpoch(1, (receipts) => [...receipts, receiptOf('eve', 9, 'pass')]),
    kept: 'log_forked',
    chain: 'missing',
  },
  {
    name: 'changes the order of receipts, and signs everything anew',
    plan: withEpoch(2, ([a, b, c]) => [b!, a!, c!]),
    kept: 'log_forked',
    chain: 'missing',
  },
  {
    name: 'drops an epoch, and signs everything anew',
    plan: honest.toSpliced(1, 1),
    kept: 'log_shorter',
    chain: 'missing',
  },
  {
    name: 'drops the newest epochs',
    plan: honest.slice(0, 2),
    kept: 'log_shorter',
    chain: 'behind',
  },
  {
    name: 'drops the newest epochs, goes on, and anchors what comes after',
    plan: dropped,
    kept: 'log_shorter',
    chain: `gap ${FIRST + 1}-${FIRST + EPOCHS - 1}`,
  },
  {
    name: 'begins anew by the same key: no log shows by itself that there was another',
    plan: begunAnew,
    kept: 'log_shorter',
    chain: 'sound',
    first: `gap ${FIRST}-${FIRST + EPOCHS - 1}`,
  },
  {
    name: 'leaves numbers of receipts out with the epoch that he drops',
    change: async (registry) => {
      const [, second] = await listEpochTexts(registry);
      await rewriteLog(registry, (texts) => texts.filter((text) => text !== second));
    },
    kept: 'log_shorter',
    chain: 'log_forked',
  },
  {
    name: 'changes an old epoch, and anchors the new checkpoints when it is too late',
    plan: withEpoch(1, ([a, b]) => [a!, b!, receiptOf('mallory', 5, 'pass')]),
    change: async (registry) => {
      for (const digest of (await listDigests(registry)).slice(1)) await anchor(digest);
      await node.mine(1);
      await service.waitForTip();
    },
    kept: 'log_forked',
    chain: 'late',
  },
  {
    name: 'says that epochs are longer, so that what is late looks as if it were in time',
    plan: withEpoch(1, ([a, b]) => [a!, b!, receiptOf('trent', 5, 'pass')]),
    epochBlocks: 40,
    kept: 'log_forked',
    chain: 'impossible',
  },
  {
    name: 'shows the signed checkpoint of before over entries that were changed',
    change: (registry) => registry.force(`update signed_log_entry set entry = '{}' where place = 1`),
    kept: 'log_forked',
    chain: 'log_forked',
  },
  {
    name: 'takes the log away',
    change: (registry) => registry.force('delete from signed_log_head'),
    kept: 'log_gone',
    chain: 'gone',
  },
];

describe.each(engines)('an operator with key and database, on $kind', (engine) => {
  test.each(plays)('who $name', async ({ plan = honest, change, epochBlocks, ...found }) => {
    const registry = await writeRegistry(options(engine), plan);
    await change?.(registry);
    const { client } = registry;
    const read = (firstEpoch?: number) =>
      readTheChain(client, { epochBlocks, firstEpoch }).catch((error) => {
        if (error.code === 'log_empty') return 'gone';
        throw error;
      });
    expect({ kept: await askAgain(client), chain: await read(), first: await read(FIRST) }).toEqual({
      ...{ kept: found.kept, chain: found.chain, first: found.first ?? found.chain },
    });
    await registry.close();
  });

  test('who shows one log to some and another to others: the two checkpoints prove it, and the chain has one', async () => {
    const other = withEpoch(3, ([a, b]) => [a!, b!, receiptOf('ann', 11, 'pass')]);
    const [one, two] = [
      await writeRegistry(options(engine), honest),
      await writeRegistry(options(engine), other),
    ];
    const registryKey = signer.publicKey;
    const [ofSome, ofOthers] = [
      (await followLog(one.client, { registryKey }))!,
      (await followLog(two.client, { registryKey }))!,
    ];
    await expect(followLog(two.client, { registryKey }, ofSome.note)).rejects.toMatchObject({
      code: 'log_forked',
      remembered: ofSome.note,
      shown: ofOthers.note,
    });
    expect(await readTheChain(one.client)).toBe('sound');
    expect(await readTheChain(two.client)).toBe('missing');
    await Promise.all([one.close(), two.close()]);
  });

  test('who signs by another key begins another log, which is not taken for this one', async () => {
    const stranger = openServiceKey(join(folder.path, `${engine.kind}-other.key`));
    const registry = await writeRegistry({ ...options(engine), signer: stranger }, honest);
    expect(await askAgain(registry.client)).toBe('checkpoint_unsigned');
    expect(await readTheChain(registry.client)).toBe('checkpoint_unsigned');
    await registry.close();
  });

  test('who has epochs of before there was a log gets the same log when the prober begins, and a broken one is not gone on with', async () => {
    const registry = await writeRegistry(options(engine), honest);
    for (const table of ['entry', 'hash', 'head']) await registry.force(`delete from signed_log_${table}`);
    await openEpochLog(registry.precious, signer, 0);
    const head = (note: string) => note.split('\n').slice(0, 3);
    expect(head(await getLogCheckpoint(registry.client))).toEqual(head(kept));
    await openEpochLog(registry.precious, signer, 0);
    await registry.force(`update signed_log_hash set hash = '${'00'.repeat(32)}' where place = 1`);
    await expect(openEpochLog(registry.precious, signer, 0)).rejects.toThrow(LogBrokenError);
    await registry.close();
  });

  test('who checks his own log is told which epoch it does not have as it was closed', async () => {
    const registry = await writeRegistry(options(engine), honest);
    const { precious } = registry;
    const about = { precious, genesisHash, registryKey: signer.publicKey, head: undefined };
    expect((await verifyRegistry(about)).faults).toEqual([]);
    await registry.force("update signed_log_entry set entry = '{}' where place = 2");
    expect((await verifyRegistry(about)).faults).toEqual(
      expect.arrayContaining([
        'log entry 2: it is not what was hashed',
        `epoch ${FIRST + 2}: the log has another`,
      ]),
    );
    await registry.force(`delete from registry_epoch where epoch = ${FIRST + 3}`);
    expect((await verifyRegistry(about)).faults).toContain('log entry 3: there is no epoch that says so');
    await registry.force('delete from signed_log_entry where place > 1');
    expect((await verifyRegistry(about)).faults).toContain('checkpoint 3: its entries are gone');
    await registry.force('delete from signed_log_head');
    expect((await verifyRegistry(about)).faults).toEqual([
      expect.stringContaining('3 epochs are closed, and there is no log of them'),
    ]);
    await registry.close();
  });
});
