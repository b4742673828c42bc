/** Commands about merchants: their keys, secrets, addresses and deliveries. */

import { merchantLimits } from '@coinfront/api/merchants.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { parseWhole } from '../config-values.ts';
import { findNameFault } from '../parts/payments/merchants/merchant-name.ts';
import type { Forms, Understood, Values } from './command.ts';

/** What holds unless it is given. */
export const defaults = { poolLow: 10, overlapHours: 24 };

const limits = {
  poolLow: merchantLimits.lowThreshold,
  overlapHours: 720,
  purgeDays: { min: 1, max: 36_500 },
};
const HOUR_MS = 3_600_000;
const aMerchant = 'the merchant, such as mer_…';
const anAddress = 'the address';

export const merchantForms: Forms = {
  'merchant create': {
    subject: undefined,
    options: ['name', 'webhook-url', 'pool-low'],
    parse: parseCreate,
  },
  'merchant list': { subject: undefined, options: [], parse: () => ok({ kind: 'list' }) },
  'merchant rotate-key': {
    subject: aMerchant,
    options: ['overlap-hours'],
    parse: (values, merchantId) => parseRotation('rotate-key', values, merchantId),
  },
  'merchant disable': {
    subject: aMerchant,
    options: [],
    parse: (_, merchantId) => ok({ kind: 'disable', merchantId }),
  },
  'merchant enable': {
    subject: aMerchant,
    options: [],
    parse: (_, merchantId) => ok({ kind: 'enable', merchantId }),
  },
  'webhook-secret rotate': {
    subject: aMerchant,
    options: ['overlap-hours'],
    parse: (values, merchantId) => parseRotation('rotate-secret', values, merchantId),
  },
  'addresses release': {
    subject: anAddress,
    options: [],
    parse: (_, address) => ok({ kind: 'address-release', address, to: null }),
  },
  'addresses move': {
    subject: anAddress,
    options: ['to'],
    parse: ({ to }, address) =>
      typeof to === 'string'
        ? ok({ kind: 'address-release', address, to })
        : fail('"addresses move" needs --to <merchant>.'),
  },
  'deliveries purge': { subject: undefined, options: ['older-than-days', 'undelivered'], parse: parsePurge },
};

function parseCreate(values: Values): Result<Understood> {
  const name = String(values.name ?? '').trim();
  if (name === '') return fail('"merchant create" needs --name.');
  const fault = findNameFault(name);
  if (fault !== undefined) return fail(`--name ${fault}; payers are shown it.`);
  const poolLow = parseWhole(String(values['pool-low'] ?? defaults.poolLow), 0, limits.poolLow);
  if (typeof poolLow === 'string') return fail(`--pool-low: ${poolLow}`);
  const url = values['webhook-url'];
  return ok({
    kind: 'create',
    name,
    webhookUrl: typeof url === 'string' ? url : null,
    poolLowThreshold: poolLow,
  });
}

function parsePurge(values: Values): Result<Understood> {
  const { min, max } = limits.purgeDays;
  const days = parseWhole(String(values['older-than-days'] ?? ''), min, max);
  if (typeof days === 'string') return fail(`--older-than-days: ${days}`);
  return ok({
    kind: 'purge-deliveries',
    olderThanMs: days * 24 * HOUR_MS,
    withUndelivered: values.undelivered === true,
  });
}

function parseRotation(
  kind: 'rotate-key' | 'rotate-secret',
  values: Values,
  merchantId: string,
): Result<Understood> {
  const hours = parseWhole(String(values['overlap-hours'] ?? defaults.overlapHours), 0, limits.overlapHours);
  if (typeof hours === 'string') return fail(`--overlap-hours: ${hours}`);
  return ok({ kind, merchantId, overlapMs: hours * HOUR_MS });
}
