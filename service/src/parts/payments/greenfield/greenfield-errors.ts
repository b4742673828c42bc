/** Errors as BTCPay tells them: a code and a message, or a list of the fields that are wrong. */

import { AppError, type ErrorCode } from '../../../errors.ts';
import type { WrittenError } from '../../../http/operation.ts';
import type { Permission } from './permission-rules.ts';

/** What is wrong with one field of a body; `path` as in `checkout.paymentMethods[0]`. */
export type FieldFault = { path: string; message: string };

/** Fields of a request are wrong: 422. */
export class FieldFaults extends AppError {
  readonly faults: readonly FieldFault[];

  constructor(...faults: readonly FieldFault[]) {
    super('invalid_body', faults.map(({ path, message }) => `${path}: ${message}`).join(' '));
    this.faults = faults;
  }
}

/** A key may not do this: 403. */
export class MissingPermission extends AppError {
  readonly permission: Permission;

  constructor(permission: Permission) {
    super('key_scope_insufficient', `The API key has not the permission ${permission}.`);
    this.permission = permission;
  }
}

/** Nobody has this store, or another merchant is it. */
export class StoreNotFound extends AppError {
  constructor() {
    super('route_not_found', 'The store was not found: the API key belongs to another one.');
  }
}

/** Codes that BTCPay has names for; others are ours, with hyphens. */
const names: Partial<Record<ErrorCode, string>> = {
  api_key_invalid: 'unauthenticated',
  payment_not_found: 'invoice-not-found',
  webhook_not_found: 'webhook-not-found',
};

/** Writes any error. */
export function writeGreenfieldError(error: AppError): WrittenError {
  if (error instanceof FieldFaults) return { status: 422, json: error.faults };
  const { message, status, code } = error;
  if (error instanceof MissingPermission) {
    return { status, json: { code: 'missing-permission', message, missingPermission: error.permission } };
  }
  if (error instanceof StoreNotFound) return { status, json: { code: 'store-not-found', message } };
  return { status, json: { code: names[code] ?? code.replaceAll('_', '-'), message } };
}

/**
 * What is refused of a field that has another name here: the same, told of that field.
 *
 * @param fields the fields that codes belong to
 */
export function blameField(error: unknown, fields: Partial<Record<ErrorCode, string>>): unknown {
  if (!(error instanceof AppError)) return error;
  const path = fields[error.code];
  return path === undefined ? error : new FieldFaults({ path, message: error.message });
}
