import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logKinds } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import { openServiceKey, type ServiceSigner } from '../../service/src/signing/service-key.ts';
import { forEachEngine } from '../harness/engines.ts';
import { fileKeeper, type Keeper, memoryKeeper, type Verdict, witnessKeeper } from './keepers.ts';
import { logOf, openFresh, type ServedLog, serveLog } from './served-log.ts';

const honest = Array.from({ length: 7 }, (_, i) => `{"entry":${i}}`);
const forged = honest.with(1, '{"entry":"another"}');

/** What is shown, one after the other, and what whoever keeps a head has to say of it. */
const looks: readonly [shown: string, entries: readonly string[], verdict: Verdict, otherKey?: true][] = [
  ['nothing yet', [], 'gone'],
  ['the log for the first time', honest.slice(0, 3), 'kept'],
  ['the same again', honest.slice(0, 3), 'kept'],
  ['the log with more entries', honest.slice(0, 5), 'kept'],
  ['fewer entries than before', honest.slice(0, 2), 'shorter'],
  ['as many, of which one was changed', forged.slice(0, 5), 'forked'],
  ['more, of which one was changed', forged, 'forked'],
  ['a log under another key', honest, 'other_key', true],
  ['nothing any more', [], 'gone'],
  ['the log as it goes on from what was kept', honest.slice(0, 6), 'kept'],
];

forEachEngine('whoever keeps the head of a signed log', (engine) => {
  let folder = '';
  let precious: Precious;
  let [signer, other, witness]: ServiceSigner[] = [];
  const served: ServedLog[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coinfront-keepers-'));
    precious = await openFresh(engine);
    [signer, other, witness] = ['log', 'other', 'witness'].map((name) =>
      openServiceKey(join(folder, `${name}.key`)),
    );
  });
  afterAll(async () => {
    await Promise.all(served.map((log) => log.close()));
    await precious?.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe.each(logKinds)('%s', (kind) => {
    test('keeps what goes on from it, refuses all else, and has the honest head afterwards', async () => {
      const { publicKey } = signer!;
      const keepers: Keeper[] = [
        await witnessKeeper(precious, { kind, signer: witness!, origin: logOf(kind, signer!).origin }),
        memoryKeeper({ kind, publicKey }),
        fileKeeper({ kind, publicKey }, folder),
      ];
      let kept: string | undefined;
      for (const [what, entries, verdict, otherKey] of looks) {
        const shown = await serveLog(engine, { kind, signer: otherKey ? other! : signer!, entries });
        served.push(shown);
        if (verdict === 'kept')
          kept = await (await fetch(`${shown.baseUrl}${shown.prefix}/log/checkpoint`)).text();
        for (const keeper of keepers) {
          const said = await keeper.look(shown);
          expect([keeper.name, what, said]).toEqual([keeper.name, what, verdict]);
          expect([keeper.name, what, await keeper.findKept()]).toEqual([keeper.name, what, kept]);
        }
      }
      expect(kept).toContain('\n6\n');
    });
  });

  test('keeps the logs of a peer apart, and takes none for another', async () => {
    const keepers = await Promise.all(
      logKinds.map((kind) =>
        witnessKeeper(precious, { kind, signer: witness!, origin: logOf(kind, signer!).origin }),
      ),
    );
    const [ofNodes, ofLedger] = await Promise.all(keepers.map((keeper) => keeper.findKept()));
    expect(ofNodes?.split('\n')[0]).toBe(`node-registry/${signer!.publicKey}`);
    expect(ofLedger?.split('\n')[0]).toBe(`treasury-ledger/${signer!.publicKey}`);
  });
});
