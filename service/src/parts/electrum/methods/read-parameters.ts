/** Parameters of calls. What was sent is never repeated: it may be anything, a key included. */

import { parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { RpcError } from '../rpc/rpc-error.ts';

const MAX_NUMBER = 2 ** 31 - 1;

/** A hash as clients write it, in internal byte order. @throws RpcError */
export function readHash(value: unknown, name: string): Uint8Array {
  const parsed = typeof value === 'string' ? parseDisplayHash(value) : undefined;
  if (parsed?.ok) return parsed.value;
  throw new RpcError('refused', `${name} should be a hash of 64 hexadecimal digits`);
}

/** A whole number from 0 on. @throws RpcError */
export function readWhole(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER) return value;
  throw new RpcError('refused', `${name} should be a non-negative integer`);
}

/** The same where it may be left out. @throws RpcError */
export function readOptionalWhole(value: unknown, name: string): number {
  return value === undefined || value === null ? 0 : readWhole(value, name);
}

/** A switch, false where it is left out. @throws RpcError */
export function readSwitch(value: unknown, name: string): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (value === true || value === 1) return true;
  throw new RpcError('refused', `${name} should be true or false`);
}

/** The hex of a transaction, which the node will read. @throws RpcError */
export function readHexText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new RpcError('refused', `${name} should be a transaction in hexadecimal`);
}
