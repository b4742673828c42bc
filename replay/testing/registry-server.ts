/** A node registry that answers whatever a test has it say, over HTTP. */

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromHex, sha256 } from '../bytes.ts';
import { writeCanonicalJson } from '../canonical-json.ts';
import type { Json } from '../list-new.ts';
import { findLogRoot, hashText } from '../signed-log.ts';

/** A key of a registry. */
export type RegistryKey = { hex: string; secret: KeyObject };

/** Makes a key. */
export function makeRegistryKey(): RegistryKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    hex: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex'),
    secret: privateKey,
  };
}

/** What is served; tests change it. */
export type Registry = {
  key: RegistryKey | undefined;
  receipts: Json[];
  epochs: Json[];
  /** Instead of the checkpoint of all epochs; null: there is none. */
  checkpoint: string | null | undefined;
  /** The preview of rewards of every epoch. */
  rewards: Json;
};

const EPOCH_BLOCKS = 10;

/** Closes an epoch with so many receipts, signed by a key. */
export function closeEpoch(registry: Registry, network: string, key: RegistryKey, count = 2): void {
  const signed = (what: string, hash: string) =>
    sign(null, Buffer.from(`${what}\n${hash}`), key.secret).toString('hex');
  const epoch = registry.epochs.length;
  const made: Json[] = [];
  for (let i = 0; i < count; i++) {
    const before = made.at(-1) ?? registry.receipts.at(-1);
    const sequence = (before?.receipt.sequence ?? -1) + 1;
    const receipt = {
      ...{ network, registry_key: key.hex, sequence, epoch, height: epoch * EPOCH_BLOCKS, verdict: 'pass' },
      ...{ previous_hash: before?.hash ?? '0'.repeat(64), slots: { from: '', to: `slot ${i}`, count: 1 } },
    };
    const hash = hashText(receipt);
    made.push({ receipt, hash, signature: signed('node registry receipt, version 1', hash) });
  }
  const summary = {
    ...{ type: 'node-epoch', version: 3, rules: 4, network, registry_key: key.hex, epoch, receipts: count },
    ...{ first_sequence: made[0].receipt.sequence, last_sequence: made.at(-1).receipt.sequence },
    ...{ merkle_root: findLogRoot(made.map(({ hash }) => fromHex(hash))), last_hash: made.at(-1).hash },
    ...{ slots: count, as_table: null },
  };
  const hash = hashText(summary);
  registry.receipts.push(...made);
  registry.epochs.push({
    ...{ epoch, state: 'closed', summary, hash, signature: signed('node registry epoch, version 1', hash) },
    ...{ from_height: epoch * EPOCH_BLOCKS, to_height: (epoch + 1) * EPOCH_BLOCKS - 1 },
  });
}

/** The checkpoint of the first epochs, with lines of so many witnesses. */
export function signCheckpoint({ epochs }: Registry, size: number, key: RegistryKey, witnesses = 0): string {
  const name = `node-registry/${key.hex}`;
  const entries = epochs.slice(0, size).map(({ summary }) => Buffer.from(writeCanonicalJson(summary)));
  const text = `${name}\n${size}\n${Buffer.from(findLogRoot(entries), 'hex').toString('base64')}\n`;
  const line = (of: string, bytes: Uint8Array) => `\u2014 ${of} ${Buffer.from(bytes).toString('base64')}\n`;
  const keyId = sha256(Buffer.from(`${name}\n\u0001`), fromHex(key.hex)).subarray(0, 4);
  const signature = sign(null, Buffer.from(text), key.secret);
  const others = Array.from({ length: witnesses }, (_, i) =>
    line(`witness/${String(i).padStart(64, '0')}`, new Uint8Array(76).fill(i)),
  );
  return `${text}\n${line(name, Buffer.concat([keyId, signature]))}${others.join('')}`;
}

/** Serves it. */
export async function serveRegistry(registry: Registry): Promise<{ url: string; close(): void }> {
  const list = (items: readonly Json[]) => JSON.stringify({ items: [...items].reverse(), next_cursor: null });
  const answer = (path: string): string | null | undefined => {
    const { key, receipts, epochs, checkpoint } = registry;
    if (path.endsWith('/status'))
      return JSON.stringify({ registry_key: key?.hex ?? null, receipts: receipts.length });
    if (path.endsWith('/receipts')) return list(receipts);
    if (path.endsWith('/epochs')) return list(epochs);
    if (path.endsWith('/rewards/preview'))
      return JSON.stringify({ ...registry.rewards, ...{ next_cursor: null } });
    return checkpoint === undefined && key ? signCheckpoint(registry, epochs.length, key) : checkpoint;
  };
  const server = createServer(({ url }, response) => {
    const text = answer(new URL(url ?? '', 'http://registry').pathname);
    response.statusCode = text === null || text === undefined ? 404 : 200;
    response.end(text ?? '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
