import { createHmac, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findNodeBinary, isLitecoin } from '../../scripts/node-process.ts';
import type { TestNode } from './litecoind.ts';

/** A user of a node's RPC besides the harness' own, who may call what its whitelist names. */
export type RpcUser = {
  readonly name: string;
  readonly password: string;
  readonly allowed: readonly string[];
};

export function rpcUser(name: string, allowed: readonly string[]): RpcUser {
  return { name, password: randomBytes(12).toString('hex'), allowed };
}

/** The URL of a node with this user's name and password. */
export function asUser(node: Pick<TestNode, 'url'>, { name, password }: RpcUser): string {
  const url = new URL(node.url);
  url.username = name;
  url.password = password;
  return url.href.replace(/\/$/, '');
}

/** Writes the node's configuration file with these users; they count from its next start. Others may call everything. */
export async function writeRpcUsers(
  node: Pick<TestNode, 'dataDir'>,
  users: readonly RpcUser[],
): Promise<void> {
  const lines = users.flatMap(({ name, password, allowed }) => {
    const salt = randomBytes(8).toString('hex');
    const hash = createHmac('sha256', salt).update(password).digest('hex');
    return [`rpcauth=${name}:${salt}$${hash}`, `rpcwhitelist=${name}:${allowed.join(',')}`];
  });
  const file = isLitecoin(findNodeBinary()) ? 'litecoin.conf' : 'bitcoin.conf';
  await writeFile(join(node.dataDir, file), ['rpcwhitelistdefault=0', ...lines, ''].join('\n'));
}
