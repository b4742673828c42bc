import { expect, test } from 'vitest';
import { startNode } from '/work/main/test/harness/litecoind.ts';
import { startService } from '/work/main/test/harness/service.ts';
import { makeTraffic } from '/work/main/test/harness/traffic.ts';
import { mkdtempSync } from 'node:fs';
import { Compile } from '/work/main/node_modules/typebox/build/compile/index.mjs';
import { spellOutNull } from '/work/main/service/src/testing/strict-responses.ts';
import { makeHostileRequests } from '/work/main/service/src/testing/hostile-requests.ts';
import { findFaults } from '/work/main/service/src/testing/send-hostile.ts';
function resolve(schema: any, d: any): any {
  if (schema.$ref) return resolve(d.components.schemas[schema.$ref.split('/').at(-1)], d);
  if (Array.isArray(schema.allOf) && schema.nullable) return { ...resolve(schema.allOf[0], d), nullable: true };
  const c = { ...schema };
  if (schema.items) c.items = resolve(schema.items, d);
  if (schema.properties) c.properties = Object.fromEntries(Object.entries(schema.properties).map(([k, e]) => [k, resolve(e, d)]));
  return c;
}
test('e2e', async () => {
  const node = await startNode();
  const traffic = await makeTraffic(node, { seed: 5, blocks: 8, txPerBlock: 30 });
  const dir = mkdtempSync('/tmp/plan/b/e2e-');
  const s = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir: dir } as any });
  try {
    const chain = (await s.get('/api/v1/openapi.json')).json, esp = (await s.get('/esplora/openapi.json')).json;
    const hash = traffic.blockHashes.at(-1)!;
    const blk: any = await node.rpc('getblock', hash, 2);
    await node.rpc('sendtoaddress', await node.newAddress('bech32'), 1.5);
    await s.waitForMempool();
    const problems: string[] = [];
    const seen = new Map<string, number>();
    async function check(d: any, prefix: string, template: string, path: string) {
      const r = await s.get(prefix + path);
      const k = `${prefix}${template} ${r.status}`; seen.set(k, (seen.get(k) ?? 0) + 1);
      if (r.status !== 200) { problems.push(`${path} ${r.status} ${r.text.slice(0, 200)}`); return; }
      const media = d.paths[template].get.responses[200].content['application/json'];
      if (!media) return;
      const e = Compile(spellOutNull(resolve(media.schema, d))).Errors(r.json);
      if (e.length) problems.push(`${path}: ${JSON.stringify(e.slice(0, 3))}`);
    }
    for (const p of ['/health', '/config', '/status', '/stats', '/blocks', '/supply', '/supply/total', '/supply/circulating', '/releases', '/wallet-standard', '/fee']) await check(chain, '/api/v1', p, p);
    const addrs = new Set<string>();
    const mem: any = await node.rpc('getrawmempool');
    for (const h of traffic.blockHashes) {
      const b: any = await node.rpc('getblock', h, 2);
      await check(chain, '/api/v1', '/block/{id}', `/block/${h}?limit=100`);
      await check(esp, '/esplora', '/block/{hash}', `/block/${h}`);
      await check(esp, '/esplora', '/block/{hash}/txs', `/block/${h}/txs`);
      await check(esp, '/esplora', '/block/{hash}/txids', `/block/${h}/txids`);
      for (const t of b.tx) {
        await check(chain, '/api/v1', '/tx/{txid}', `/tx/${t.txid}`); await check(chain, '/api/v1', '/tx/{txid}/raw', `/tx/${t.txid}/raw`); await check(chain, '/api/v1', '/tx/{txid}/proof', `/tx/${t.txid}/proof`);
        await check(esp, '/esplora', '/tx/{txid}', `/tx/${t.txid}`); await check(esp, '/esplora', '/tx/{txid}/outspends', `/tx/${t.txid}/outspends`); await check(esp, '/esplora', '/tx/{txid}/merkle-proof', `/tx/${t.txid}/merkle-proof`);
        for (const o of t.vout) for (const a of o.scriptPubKey.addresses ?? []) addrs.add(a);
      }
    }
    for (const id of mem) { await check(chain, '/api/v1', '/tx/{txid}', `/tx/${id}`); await check(esp, '/esplora', '/tx/{txid}', `/tx/${id}`); }
    for (const a of [...addrs].slice(0, 150)) {
      for (const [t, p] of [['/address/{address}', `/address/${a}`], ['/utxos/{address}', `/utxos/${a}?limit=5`], ['/address/{address}/txs', `/address/${a}/txs?limit=5`], ['/mining/address/{address}', `/mining/address/${a}`], ['/search', `/search?q=${a}`]]) await check(chain, '/api/v1', t, p);
      for (const [t, p] of [['/address/{address}', `/address/${a}`], ['/address/{address}/txs', `/address/${a}/txs`], ['/address/{address}/utxo', `/address/${a}/utxo`]]) await check(esp, '/esplora', t, p);
    }
    for (const p of ['/mempool', '/mempool/txids', '/mempool/recent', '/fee-estimates', '/blocks']) await check(esp, '/esplora', p, p);
    console.log(Object.fromEntries(seen)); console.log(problems.length, problems.slice(0, 20));
    const a0 = [...addrs][0]!; const info: any = await node.rpc('validateaddress', a0);
    const sh = (await import('node:crypto')).createHash('sha256').update(Buffer.from(info.scriptPubKey, 'hex')).digest('hex');
    expect((await s.get(`/esplora/scripthash/${sh}/utxo`)).json).toEqual((await s.get(`/esplora/address/${a0}/utxo`)).json);
    const known = { address: a0, txid: blk.tx.at(-1).txid, last_seen_txid: blk.tx[0].txid, hash, scripthash: sh, height: '100', index: '0', vout: '0', id: '100' };
    for (const d of [chain, esp]) { const f = await findFaults(s.origin, makeHostileRequests(d, known)); console.log('faults', f.length, f.slice(0, 10)); expect(f).toEqual([]); }
    console.log((await s.get('/api/v1/fee')).text.slice(0, 800)); console.log((await s.get('/api/v1/supply')).text, await node.rpc('gettxoutsetinfo'));
    console.log((await s.get('/api/v1/health')).text);
    expect(problems).toEqual([]);
  } finally { await s.stop(); await node.stop(); }
}, 300000);
