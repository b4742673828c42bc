/** Speed policies: how many confirmations settle an invoice. */

import type { SpeedPolicy } from '@coinfront/api/btcpay.ts';

const confirmations: Readonly<Record<SpeedPolicy, number>> = {
  HighSpeed: 0,
  MediumSpeed: 1,
  LowMediumSpeed: 2,
  LowSpeed: 6,
};

/** Confirmations that a policy asks for. */
export function confirmationsOf(policy: SpeedPolicy): number {
  return confirmations[policy];
}

/** The policy that promises no more than so many confirmations. */
export function policyOf(required: number): SpeedPolicy {
  if (required === 0) return 'HighSpeed';
  if (required === 1) return 'MediumSpeed';
  return required < confirmations.LowSpeed ? 'LowMediumSpeed' : 'LowSpeed';
}
