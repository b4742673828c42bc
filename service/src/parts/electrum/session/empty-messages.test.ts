import { expect, onTestFinished, test } from 'vitest';
import { connectElectrum } from '../../../../../test/harness/electrum-client.ts';
import { portOf, startElectrumFixture } from '../../../testing/electrum-fixture.ts';
import { electrumLimits } from '../electrum-limits.ts';

const PING = '{"id":1,"method":"server.ping","params":[]}';

async function open(units: number) {
  const server = await startElectrumFixture({ units });
  onTestFinished(() => server.finish(0));
  const begin = async () => {
    const client = await connectElectrum(portOf(server, 'tcp'));
    onTestFinished(() => client.close());
    return client;
  };
  return { server, begin };
}

test('lines may end with CRLF, and empty ones may stand between them', async () => {
  const { begin } = await open(100);
  const client = await begin();
  for (let i = 0; i < 1_000; i++) client.send(`${PING}\r\n\r\n`);
  expect(await client.exchange(`${PING}\r`)).toMatchObject({ result: null });
});

test.each([['\n'], ['\r\n'], [' \t\r\n']])(
  'too many empty lines in a row (%j) end the session with an error',
  async (line) => {
    const { server, begin } = await open(100);
    const client = await begin();
    client.send(line.repeat(electrumLimits.emptyMessages));
    expect(await client.exchange(PING)).toMatchObject({ result: null });
    expect(server.sessions.open.size).toBe(1);
    client.send(line.repeat(electrumLimits.emptyMessages + 1));
    await client.closed;
    expect(client.told.at(-1)).toMatchObject({ id: null, error: { code: -32600 } });
  },
);

test('empty lines are paid for as calls are', async () => {
  const { begin } = await open(20);
  const client = await begin();
  client.send('\n'.repeat(electrumLimits.emptyMessages));
  expect(await client.exchange(PING)).toMatchObject({ result: null });
  client.send('\n'.repeat(electrumLimits.emptyMessages));
  expect(JSON.stringify(await client.exchange(PING))).toContain('excessive resource usage');
});

test('long lines of spaces are paid for by their bytes, each of them', async () => {
  const { begin } = await open(100);
  const client = await begin();
  const spaces = `${' '.repeat(1_900_000)}\n`;
  for (let i = 0; i < 6; i++) client.send(spaces);
  await client.closed;
  expect(client.told.at(-1)).toMatchObject({ error: { message: expect.stringContaining('excessive') } });
});
