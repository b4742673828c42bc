import { join } from 'node:path';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { witnessScript } from '@coinfront/protocol/script.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { expect, test } from 'vitest';
import { forEachEngine } from '../../../../../test/harness/engines.ts';
import type { ReadChain } from '../../../chain/chain-view.ts';
import { openPrecious } from '../../../db/precious.ts';
import { AppError } from '../../../errors.ts';
import { preciousMigrations } from '../../../migrations.ts';
import { createFixtureChain } from '../../../testing/fixture-chain.ts';
import { scriptOf } from '../../../testing/fixture-server.ts';
import { readFixture } from '../../../testing/fixture-view.ts';
import { createMerchant } from '../merchants/merchant-store.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { createPaymentMaker } from './create-payment.ts';
import { checkPaymentRequest } from './payment-request.ts';

const NOW = 1_800_000_000_000;
const profile = getShippedProfile('regtest');

forEachEngine('an answer that is given again', (engine) => {
  test('needs neither the name that it was for, nor an index in step', async () => {
    const at = await engine.openUrl();
    const precious = await openPrecious(
      at.kind === 'sqlite' ? { kind: 'sqlite', file: join(at.dataDir, 'front.db') } : at,
      preciousMigrations,
    );
    await createMerchant(precious, { name: 'Shop', webhookUrl: null, poolLowThreshold: 0 }, NOW);
    const merchant = await precious
      .query<PaymentTables>()
      .selectFrom('merchant')
      .selectAll()
      .executeTakeFirstOrThrow();
    const chain = createFixtureChain(scriptOf(1));
    chain.addBlock(scriptOf(1));
    const readChain: ReadChain = (read) =>
      readFixture(chain)((view) => read({ ...view, getSynced: async () => ({ atMs: NOW }) }));
    const context: PaymentRouteContext = {
      precious,
      profile,
      publicUrl: '',
      now: () => NOW,
      onEvent: () => {},
      onDue: () => {},
      readChain,
      checkWebhookUrl: (url) => ({ ok: true, value: url }),
      isOpenedHost: () => false,
      hasExplorer: false,
      estimateFeeRate: async () => 1_000n,
      getRelayRate: () => 1_000n,
      bodies: { readText: async (_, text) => text, readJson: async () => undefined },
      resolveName: async () => encodeAddress(witnessScript(0, new Uint8Array(20).fill(7)), profile),
    };
    const body = { recipient: 'alice.coin', amount: '1' };
    const terms = checkPaymentRequest(body, merchant, context);
    const request = { idempotencyKey: 'order 1', body };
    const first = await createPaymentMaker(context)(merchant, terms, request);

    const refuse = async () => {
      throw new AppError('not_ready', 'The index is behind.');
    };
    const later = createPaymentMaker({ ...context, readChain: refuse, resolveName: refuse });
    expect(await later(merchant, terms, request)).toMatchObject({ body: first.body, isReplay: true });
    await expect(
      later(merchant, terms, { ...request, body: { ...body, amount: '2' } }),
    ).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    await expect(later(merchant, terms, { ...request, idempotencyKey: 'order 2' })).rejects.toMatchObject({
      code: 'not_ready',
    });
    await precious.close();
  });
});
