/// <reference path="./global-setup.ts" />
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, inject } from 'vitest';
import { createDatabase, dropDatabase } from './postgres.ts';

/** Where a fresh, empty database is. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Where the key of a service on this database is: in its folder, and for a server's database in one of its own. */
export function keyFileOf(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return join(location.dataDir, 'registry.key');
  const [, name] = /\/([^/?]+)(?:\?.*)?$/.exec(location.url)!;
  return join(tmpdir(), `coinfront-key-${name}`, 'registry.key');
}

/** One of the two database engines, as a suite sees it. */
export type TestEngine = {
  readonly kind: DatabaseLocation['kind'];
  /** Makes a fresh empty database; it is removed after the suite. */
  openUrl(): Promise<DatabaseLocation>;
};

/**
 * Runs the same suite on SQLite and on PostgreSQL.
 *
 * @example forEachEngine('outputs', (engine) => { test('…', async () => open(await engine.openUrl())); });
 */
export function forEachEngine(name: string, define: (engine: TestEngine) => void): void {
  // COINFRONT_TEST_ENGINE: only this one.
  const only = process.env.COINFRONT_TEST_ENGINE;
  if (only !== 'postgres') describe(`${name} on sqlite`, () => define(sqliteEngine()));
  if (only !== 'sqlite') describe(`${name} on postgres`, () => define(postgresEngine()));
}

/** Both engines at once, for a suite whose events take time and are the same for both. Called where suites are defined. */
export function openEngines(): TestEngine[] {
  return [sqliteEngine(), postgresEngine()];
}

function sqliteEngine(): TestEngine {
  const made: string[] = [];
  afterAll(async () => {
    await Promise.all(made.map((dataDir) => rm(dataDir, { recursive: true, force: true })));
  });
  return {
    kind: 'sqlite',
    async openUrl() {
      const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-sqlite-'));
      made.push(dataDir);
      return { kind: 'sqlite', dataDir };
    },
  };
}

function postgresEngine(): TestEngine {
  const made: string[] = [];
  afterAll(async () => {
    for (const url of made) {
      await dropDatabase(url);
      await rm(dirname(keyFileOf({ kind: 'postgres', url })), { recursive: true, force: true });
    }
  });
  return {
    kind: 'postgres',
    async openUrl() {
      const url = await createDatabase(inject('postgresUrl'));
      made.push(url);
      return { kind: 'postgres', url };
    },
  };
}
