import { decodeAddress } from '@coinfront/protocol/address.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { createMerchant } from '../../service/src/parts/payments/merchants/merchant-store.ts';
import type { RunningNode } from '../bench-node.ts';
import { createRandom } from '../chain/random.ts';
import { insertOpenPayments, makeAddress, type OpenPayment } from '../payments/open-payments.ts';
import type { ServiceStorage } from '../service-process.ts';
import { withPrecious } from './beside.ts';
import { type Coinbase, mineBlock, spendCoinbase } from './heavy-blocks.ts';

const OPEN = 5_000;
const OVERPAID = 1_500;
const UNDERPAID = 300;
/** Of one payment, by somebody who pays it over and over. */
const OUTPUTS_OF_ONE = 20_000;
const TWICE = 20_000n;
const HALF = 5_000n;
const METADATA_CHARS = 4_000;

/** A merchant with thousands of payments, as it is before the service starts. */
export type LargeShop = {
  merchantId: string;
  apiKey: string;
  openIds: string[];
  /** Paid twice, with an address where the buyer wants money back. */
  overpaidIds: string[];
  underpaidIds: string[];
  /** The one that was paid with 20,000 outputs. */
  muchPaidId: string;
};

/**
 * Makes a merchant with 5,000 open payments, each with 4 KB of metadata, 1,500 that are paid twice, 300 that are paid half, and one that is
 * paid 20,000 times; and mines what pays them.
 *
 * @param webhookUrl where its events go
 */
export async function makeLargeShop(
  node: RunningNode,
  storage: ServiceStorage,
  takeCoinbase: () => Coinbase,
  { profile, webhookUrl }: { profile: CoinProfile; webhookUrl: string },
): Promise<LargeShop> {
  const tipHeight = await node.rpc<number>('getblockcount');
  const random = createRandom(31);
  const { merchantId, apiKey, made } = await withPrecious(storage, async (precious) => {
    const merchant = { name: 'Worst', webhookUrl, poolLowThreshold: 0 };
    const { id: merchantId, apiKey } = await createMerchant(precious, merchant, Date.now());
    const noted = {
      order_id: '10023',
      metadata: JSON.stringify({ note: 'n'.repeat(METADATA_CHARS) }),
      refund_address: makeAddress(random).address,
      refund_address_at: Date.now(),
      return_url: 'https://shop.example/orders/10023',
    };
    const insert = (count: number, columns: object) =>
      insertOpenPayments(precious, { merchantId, count, tipHeight, random, columns });
    const made = {
      open: await insert(OPEN, noted),
      overpaid: await insert(OVERPAID, { ...noted, is_due: 1 }),
      underpaid: await insert(UNDERPAID, { ...noted, is_due: 1 }),
      muchPaid: (await insert(1, { ...noted, is_due: 1 }))[0]!,
    };
    return { merchantId, apiKey, made };
  });

  const pay = ({ address }: OpenPayment, value: bigint) => {
    return { value, script: getValue(decodeAddress(address, profile)).script };
  };
  const outputs = [
    ...made.overpaid.map((payment) => pay(payment, TWICE)),
    ...made.underpaid.map((payment) => pay(payment, HALF)),
  ];
  const many = Array.from({ length: OUTPUTS_OF_ONE }, () => pay(made.muchPaid, TWICE));
  for (const each of [outputs, many]) await mineBlock(node, [spendCoinbase(takeCoinbase(), each).hex]);
  const idsOf = (payments: readonly OpenPayment[]) => payments.map(({ id }) => id);
  return {
    merchantId,
    apiKey,
    openIds: idsOf(made.open),
    overpaidIds: idsOf(made.overpaid),
    underpaidIds: idsOf(made.underpaid),
    muchPaidId: made.muchPaid.id,
  };
}
