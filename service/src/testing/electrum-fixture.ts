/** The Electrum interface over a fixture chain, on free ports of this machine. */

import pino from 'pino';
import { createRateLimiter } from '../http/rate-limit.ts';
import { createTurns } from '../http/turns.ts';
import { type ElectrumOptions, type ElectrumPart, startElectrum } from '../parts/electrum/electrum-part.ts';
import { fixtureProfile, makeFixtureChain } from './fixture-server.ts';
import { readFixture } from './fixture-view.ts';

/** A free port of loopback. */
const anywhere = { host: '127.0.0.1', port: 0 };

export type ElectrumFixture = ElectrumPart & {
  readonly chain: ReturnType<typeof makeFixtureChain>;
  /** What was handed to the node. */
  readonly sent: string[];
  /** How often the chain was read. */
  readonly counts: { reads: number };
};

/** Starts it; `units` a minute for a client, or no limit. */
export async function startElectrumFixture({
  units,
  files,
  listens = true,
  enterLarge = async () => () => {},
}: {
  units?: number;
  listens?: boolean;
  enterLarge?: ElectrumOptions['sources']['enterLarge'];
  files?: ElectrumOptions['files'];
} = {}): Promise<ElectrumFixture> {
  const chain = makeFixtureChain();
  const sent: string[] = [];
  const counts = { reads: 0 };
  const readFixtureChain = readFixture(chain);
  const part = await startElectrum({
    sources: {
      readChain: async (read) => {
        counts.reads++;
        return await readFixtureChain(read);
      },
      profile: fixtureProfile,
      version: '0.0.0',
      publicHost: 'coin.example',
      giveWay: createTurns(),
      takeTurn: createTurns(),
      enterLarge,
      async broadcast(rawTxHex) {
        sent.push(rawTxHex);
        return { txid: '00'.repeat(32) };
      },
      broadcastPackage: async () => ({ package_msg: 'success', 'tx-results': {} }),
      readRates: () => ({
        estimates: new Map([
          [2, '0.00020000'],
          [6, '0.00010000'],
        ]),
        mempoolMinimum: '0.00002000',
        relay: '0.00001000',
        incremental: '0.00001000',
      }),
      estimateInMode: async () => '0.00030000',
    },
    listen: listens
      ? { tcp: anywhere, tls: files && anywhere, ws: anywhere }
      : { tcp: undefined, tls: undefined, ws: undefined },
    files,
    trustedProxies: [],
    origins: '*',
    spend: units === undefined ? undefined : createRateLimiter(units),
    unsentBytes: 2 ** 27,
    logger: pino({ level: 'silent' }),
  });
  return { ...part, chain, sent, counts };
}

/** The port of a listener, by its scheme. */
export function portOf({ listeners }: ElectrumPart, scheme: string): number {
  return listeners.find(({ address }) => address.startsWith(`${scheme}:`))!.port;
}
