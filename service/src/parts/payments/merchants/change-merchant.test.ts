import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { expect, test } from 'vitest';
import { describeChange } from './change-merchant.ts';

const profile = getShippedProfile('regtest');
const checkWebhookUrl = (value: string) => ({ ok: true, value }) as const;
const setConfirmations = (zeroConfMax: bigint, confirmations: number | null) =>
  describeChange(
    {
      profile: { ...profile, payments: { zeroConfReplaceable: false, zeroConfMax } },
      checkWebhookUrl,
    },
    { default_confirmations: confirmations },
  );

test('no confirmations are a default only where some payment may have none', () => {
  expect(() => setConfirmations(0n, 0)).toThrow(
    expect.objectContaining({
      code: 'confirmations_too_few',
      message: expect.stringContaining('"default_confirmations"'),
    }),
  );
  expect(setConfirmations(1n, 0)).toEqual({ default_confirmations: 0 });
  expect(setConfirmations(0n, 1)).toEqual({ default_confirmations: 1 });
  expect(setConfirmations(0n, null)).toEqual({ default_confirmations: null });
});
