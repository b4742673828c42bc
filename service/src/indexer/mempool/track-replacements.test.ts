import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../../../../test/harness/engines.ts';
import { openTestIndexer, type TestIndexer } from '../../../../test/harness/test-indexer.ts';
import { findReplacement, listReplaced } from '../../chain/replacement-store.ts';
import type { MempoolEntry } from './mempool-rows.ts';
import { openReplacementTrack, REPLACEMENT_AGE_MS } from './track-replacements.ts';

const id = (digit: string): string => digit.repeat(64);
const bytes = (digit: string): Uint8Array => new Uint8Array(Buffer.from(id(digit), 'hex'));
const entry = (digit: string): MempoolEntry => ({
  ...{ id: 1, txid: id(digit), raw: new Uint8Array(0), weight: 400, vsize: 100, fee: 7n },
});
const NOW = 1_800_000_000_000;

forEachEngine('replacements', (engine) => {
  let indexer: TestIndexer;
  beforeAll(async () => {
    indexer = await openTestIndexer(await engine.openUrl());
  });
  afterAll(() => indexer.close());

  const by = async (digit: string) => {
    const found = await findReplacement(indexer.writer, bytes(digit));
    return found && Buffer.from(found.by).toString('hex')[0];
  };
  const replaced = async (digit: string) =>
    (await listReplaced(indexer.writer, bytes(digit), 100)).map(({ txid }) =>
      Buffer.from(txid).toString('hex').slice(0, 1),
    );

  test('above the bound the oldest are forgotten, also after it was opened anew, and by age', async () => {
    const { writer } = indexer;
    await writer.begin();
    const track = await openReplacementTrack(writer, 3);
    for (const [i, [from, to]] of ['ab', 'bc', 'cd'].entries())
      await track.noteReplaced(entry(from!), [entry(from!)], id(to!), NOW + i);
    expect(await replaced('d')).toEqual(['c', 'b', 'a']);
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(by))).toEqual(['b', 'c', 'd', undefined]);

    const again = await openReplacementTrack(writer, 3);
    await again.noteReplaced(entry('1'), [entry('1')], id('d'), NOW + 10);
    expect(await by('a')).toBeUndefined();
    expect(await replaced('b')).toEqual([]);
    expect((await replaced('d')).sort()).toEqual(['1', 'b', 'c']);

    await again.noteReplaced(entry('2'), [entry('2')], id('3'), NOW + REPLACEMENT_AGE_MS + 5);
    expect(await Promise.all(['b', 'c', '1', '2'].map(by))).toEqual([undefined, undefined, 'd', '3']);
    await writer.commit();
  });

  test('one that is replaced a second time has the later replacement only', async () => {
    const { writer } = indexer;
    await writer.begin();
    const track = await openReplacementTrack(writer);
    await track.noteReplaced(entry('4'), [entry('4')], id('5'), NOW);
    await track.noteReplaced(entry('4'), [entry('4')], id('6'), NOW + 1);
    expect([await by('4'), await replaced('5'), await replaced('6')]).toEqual(['6', [], ['4']]);
    // A reorg can turn it round: the list ends.
    await track.noteReplaced(entry('6'), [entry('6')], id('4'), NOW + 2);
    expect([await replaced('4'), await replaced('6')]).toEqual([['6'], ['4']]);
    await writer.commit();
  });
});
