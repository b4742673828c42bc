import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSecret, sealSecret } from '../../cli/keystore/seal-secret.ts';
import { readWalletFile, secretContext, writeWalletFile } from '../../cli/keystore/wallet-file.ts';
import type { DatabaseLocation } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { startProxy } from '../harness/tcp-proxy.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import { type CoinRun, runCoin } from './run-coin.ts';

/** A machine with `coin`: a home folder, and somebody who types or a script. */
export type Machine = {
  readonly home: string;
  /** Runs `coin` as a script does: nobody is asked, `--json`, and the passphrase in a file. Has to succeed. */
  coin(...argv: string[]): Promise<CoinRun['json']>;
  /** Runs `coin` with exactly these arguments, however it ends. */
  run(...argv: string[]): Promise<CoinRun>;
  /** The same, until somebody types Ctrl-C. */
  runUntil(signal: AbortSignal, ...argv: string[]): Promise<CoinRun>;
  /** Runs `coin` before a person who types these lines. */
  type(typed: readonly string[], ...argv: string[]): Promise<CoinRun>;
};

/** A real service beside a real node, and a spy on the way to it. */
export type CoinDesk = {
  readonly node: TestNode;
  readonly service: TestService;
  readonly database: DatabaseLocation;
  /** The service's address as `coin` is told it: through the spy. */
  readonly url: string;
  /** All that ever went to the service. */
  readonly seen: Buffer[];
  newMachine(): Promise<Machine>;
  /** From now on each answer has this text replaced by another of the same length; without both it is honest again. */
  lie(text?: RegExp, other?: string): void;
  /** Mines, until the service has it. */
  mine(blocks?: number): Promise<void>;
  stop(): Promise<void>;
};

/** The passphrase of every wallet of the tests. */
export const filePassphrase = 'correct horse battery staple';

/** Seals the wallet of a machine again, so that opening it for each of many commands costs a moment. */
export async function quickenWallet({ home }: Machine): Promise<void> {
  const path = join(home, '.coin', 'wallet.json');
  const file = await readWalletFile(path);
  const context = secretContext(file.watch);
  const secret = await openSecret(file.secret!, filePassphrase, context);
  const quick = await sealSecret(secret, filePassphrase, context, { n: 1024, r: 8, p: 1 });
  await writeWalletFile(path, { ...file, secret: quick }, { replaces: true });
}

export async function openCoinDesk(more: Readonly<Record<string, string>> = {}): Promise<CoinDesk> {
  // Litecoin's nodes replace only when told so.
  const node = await startNode({ extraArgs: replacementArgs });
  await node.mine(110);
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-coin-'));
  const database: DatabaseLocation = { kind: 'sqlite', dataDir: join(folder, 'data') };
  const settings = {
    COINFRONT_ANCHOR_WALLET: 'main',
    COINFRONT_PUBLIC_URL: 'https://coin.example',
    COINFRONT_REGISTRY_ALLOW: 'loopback',
    COINFRONT_REGISTRY_PORTS: 'any',
    ...more,
  };
  const service = await startService({ nodeUrl: node.url, database, settings });
  const seen: Buffer[] = [];
  const spy = await startProxy(service.origin, (bytes) => void seen.push(bytes));
  const url = spy.through(service.origin);
  return {
    node,
    service,
    database,
    url,
    seen,
    lie(text, other) {
      if (text === undefined || other === undefined) spy.set({});
      else
        spy.set({ garble: (bytes) => Buffer.from(bytes.toString('latin1').replace(text, other), 'latin1') });
    },
    async newMachine() {
      const home = await mkdtemp(join(folder, 'home-'));
      const passphraseFile = join(home, 'passphrase');
      await writeFile(passphraseFile, `${filePassphrase}\n`);
      const run: Machine['run'] = (...argv) => runCoin({ home }, ...argv);
      return {
        home,
        run,
        runUntil: (signal, ...argv) => runCoin({ home, signal }, ...argv),
        type: (typed, ...argv) => runCoin({ home, typed }, ...argv),
        async coin(...argv) {
          await service.waitForMempool();
          const ran = await run(...argv, '--json', '--yes', '--passphrase-file', passphraseFile);
          if (ran.code !== 0) throw new Error(`coin ${argv.join(' ')}: ${ran.code} ${ran.out}`);
          return ran.json;
        },
      };
    },
    async mine(blocks = 1) {
      await node.mine(blocks);
      await service.waitForTip();
      await service.waitForMempool();
    },
    async stop() {
      await spy.stop();
      await service.stop();
      await node.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
