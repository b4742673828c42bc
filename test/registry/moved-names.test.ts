import { afterEach, expect, test } from 'vitest';
import { readReceipt } from '../../service/src/parts/registry/log/receipt-store.ts';
import { findNode } from '../../service/src/parts/registry/nodes/node-store.ts';
import { listEpochNodes } from '../../service/src/parts/registry/rewards/verdict-store.ts';
import type { RegistryTables } from '../../service/src/parts/registry/schema/registry-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { openRegistryLog, type RegistryLog } from './registry-log.ts';

const HEIGHT = 100;
const EPOCH = 2;

forEachEngine('host names that move', (engine) => {
  let log: RegistryLog;
  afterEach(() => log.close());

  const db = () => log.precious.query<RegistryTables>();
  const show = async (name: string) => {
    const node = (await findNode(db(), name))!;
    return [node.state, node.reached, node.last_verdict, node.last_reason];
  };

  test('a name has one place after the other; receipts name it, and proven slots stay behind', async () => {
    log = await openRegistryLog(engine);
    await log.register('a', 'a.example:1');
    const at = (reached: string) => ({ a: { reached, tokensOf: ['a'] } });
    await log.record(0, HEIGHT, { a: 'fail' });
    await log.record(1, HEIGHT, { a: 'pass' }, at('8.8.8.8:1'));
    await log.record(2, HEIGHT, { a: 'pass' }, at('8.8.8.8:1'));
    await log.record(3, HEIGHT, { a: 'fail' });
    await log.record(4, HEIGHT, { a: 'pass' }, at('9.9.9.9:1'));
    expect(await show('a')).toEqual(['active', '9.9.9.9:1', 'pass', null]);
    const rows = await db().selectFrom('registry_receipt').selectAll().orderBy('sequence').execute();
    expect(rows.map(({ document }) => readReceipt({ text: document }).endpoint)).toEqual([
      ...['a.example:1', '8.8.8.8:1', '8.8.8.8:1', '8.8.8.8:1', '9.9.9.9:1'],
    ]);
    const [node] = await listEpochNodes(db(), EPOCH);
    expect(node).toMatchObject({ passed: 3, failed: 2, proven: 1, network: '9.9.9.0/24' });
    expect(await log.listFaults()).toEqual([]);
  });

  test('what others did at an address counts for the name that leads there', async () => {
    log = await openRegistryLog(engine);
    await log.register('old', '8.8.8.8:1');
    await log.record(0, HEIGHT, { old: 'fail' });
    await log.leave('old');
    await log.register('new', 'new.example:1');
    await log.record(1, HEIGHT, { new: 'pass' }, { new: { reached: '8.8.8.8:1', tokensOf: ['new'] } });
    const node = (await listEpochNodes(db(), EPOCH)).find(({ nodeKey }) => nodeKey === 'new');
    expect(node).toMatchObject({ passed: 1, othersFailed: 1 });
  });

  test('who shows only his own token takes the place: an address loses its node, another name its place', async () => {
    log = await openRegistryLog(engine);
    await log.register('address', '8.8.8.8:1');
    await log.register('a', 'a.example:1');
    await log.register('b', 'b.example:1');
    await log.record(0, HEIGHT, { a: 'pass' }, { a: { reached: '8.8.8.8:1', tokensOf: ['a'] } });
    expect((await show('address'))[0]).toBe('displaced');
    await log.record(1, HEIGHT, { b: 'pass' }, { b: { reached: '8.8.8.8:1', tokensOf: ['b'] } });
    expect([await show('a'), await show('b')]).toEqual([
      ['active', null, 'pass', null],
      ['active', '8.8.8.8:1', 'pass', null],
    ]);
    // Both change places in one slot.
    await log.record(2, HEIGHT, { a: 'pass' }, { a: { reached: '9.9.9.9:1', tokensOf: ['a'] } });
    await log.record(
      3,
      HEIGHT,
      { a: 'pass', b: 'pass' },
      { a: { reached: '8.8.8.8:1', tokensOf: ['a'] }, b: { reached: '9.9.9.9:1', tokensOf: ['b'] } },
    );
    expect([await show('a'), await show('b')]).toEqual([
      ['active', '8.8.8.8:1', 'pass', null],
      ['active', '9.9.9.9:1', 'pass', null],
    ]);
  });

  test('two names that lead to one place in one slot: only the first has it, and the other is not judged', async () => {
    log = await openRegistryLog(engine);
    for (const tokensOf of [['a', 'b'], ['a'], []]) {
      await log.register('a', 'a.example:1');
      await log.register('b', 'b.example:1');
      const move = { reached: '8.8.8.8:1', tokensOf };
      await log.record(0, HEIGHT, { a: 'pass', b: 'pass' }, { a: move, b: move });
      expect([await show('a'), await show('b')]).toEqual([
        ['active', '8.8.8.8:1', 'pass', null],
        ['active', null, 'void', 'endpoint_taken'],
      ]);
      for (const name of ['a', 'b']) await log.leave(name);
    }
  });

  test('onion nodes are not judged when three and more cannot be reached, and nobody else is spared by that', async () => {
    log = await openRegistryLog(engine);
    for (const name of ['x', 'y', 'z']) await log.register(name, `${name}.onion:1`, 'onion');
    await log.register('a', '8.8.8.8:1', '8.8.8.0/24');
    const gone = { x: 'gone', y: 'gone', z: 'gone' } as const;
    await log.record(0, HEIGHT, { ...gone, a: 'fail' });
    for (const name of ['x', 'y', 'z'])
      expect(await show(name)).toEqual(['active', null, 'void', 'registry_isolated']);
    expect((await show('a'))[2]).toBe('fail');
    await log.record(1, HEIGHT, { ...gone, x: 'pass', a: 'gone' });
    expect([(await show('x'))[2], (await show('y'))[2], (await show('a'))[2]]).toEqual([
      'pass',
      'fail',
      'fail',
    ]);
  });
});
