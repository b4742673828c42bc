/**
 * The part of BTCPay Server's Greenfield API that shop plugins call, in its shapes. As there, fields that are not known are
 * let be, and null stands for what is not given.
 */

import Type, { type Static, type TSchema } from 'typebox';
import { paymentLimits } from './payments.ts';

function Optional<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** Bounds of what a plugin may send. */
export const btcpayLimits = {
  /** Of `checkout.paymentMethods`, and of a webhook's `specificEvents`. */
  listLength: 50,
  /** Characters of a webhook's secret. */
  secretLength: 200,
  /** Invoices of one page, unless asked for less, and at most; and how far a list may skip. */
  take: { default: 50, max: 200 },
  skip: 10_000,
  /** Values of one filter. */
  filterLength: 50,
} as const;

/** Who is paid when: how many confirmations settle an invoice. */
export const speedPolicies = ['HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed'] as const;
export type SpeedPolicy = (typeof speedPolicies)[number];

export const invoiceStatuses = ['New', 'Processing', 'Expired', 'Invalid', 'Settled'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** Why an invoice has its status. */
export type InvoiceAdditionalStatus = 'None' | 'PaidLate' | 'PaidPartial' | 'Marked' | 'Invalid' | 'PaidOver';

/** Events that a webhook can be told. */
export const invoiceEventTypes = [
  'InvoiceCreated',
  'InvoiceReceivedPayment',
  'InvoicePaymentSettled',
  'InvoiceProcessing',
  'InvoiceExpired',
  'InvoiceSettled',
  'InvoiceInvalid',
] as const;
export type InvoiceEventType = (typeof invoiceEventTypes)[number];

const Text = (maxLength: number) => Type.String({ maxLength });

/** Body of POST …/invoices. */
export const InvoiceRequestBody = Type.Object({
  amount: Optional(Type.Union([Text(60), Type.Number()])),
  currency: Optional(Text(20)),
  metadata: Optional(Type.Record(Type.String(), Type.Unknown())),
  checkout: Optional(
    Type.Object({
      speedPolicy: Optional(Type.Enum([...speedPolicies])),
      paymentMethods: Optional(Type.Array(Text(60), { maxItems: btcpayLimits.listLength })),
      expirationMinutes: Optional(Type.Number({ minimum: 0 })),
      paymentTolerance: Optional(Type.Number({ minimum: 0, maximum: 100 })),
      redirectURL: Optional(Text(paymentLimits.webhookUrlLength)),
    }),
  ),
});
export type InvoiceRequestJson = Static<typeof InvoiceRequestBody>;

/** Body of POST …/status. */
export const MarkStatusBody = Type.Object({ status: Type.Enum(['Settled', 'Invalid']) });

/** Body of POST and PUT …/webhooks. */
export const ShopWebhookBody = Type.Object({
  url: Text(paymentLimits.webhookUrlLength),
  enabled: Optional(Type.Boolean()),
  automaticRedelivery: Optional(Type.Boolean()),
  secret: Optional(Text(btcpayLimits.secretLength)),
  authorizedEvents: Optional(
    Type.Object({
      everything: Optional(Type.Boolean()),
      specificEvents: Optional(Type.Array(Text(60), { maxItems: btcpayLimits.listLength })),
    }),
  ),
});
export type ShopWebhookRequestJson = Static<typeof ShopWebhookBody>;

/** An invoice: a payment as BTCPay tells of it. Times are Unix seconds, amounts decimal texts in `currency`. */
export type InvoiceJson = {
  id: string;
  storeId: string;
  amount: string;
  paidAmount: string;
  currency: string;
  type: 'Standard';
  checkoutLink: string;
  createdTime: number;
  expirationTime: number;
  monitoringExpiration: number;
  /** What older servers call `monitoringExpiration`. */
  monitoringTime: number;
  status: InvoiceStatus;
  additionalStatus: InvoiceAdditionalStatus;
  availableStatusesForManualMarking: ('Settled' | 'Invalid')[];
  archived: false;
  metadata: Record<string, unknown>;
  checkout: {
    speedPolicy: SpeedPolicy;
    paymentMethods: string[];
    defaultPaymentMethod: string;
    lazyPaymentMethods: false;
    expirationMinutes: number;
    monitoringMinutes: number;
    paymentTolerance: number;
    redirectURL: string | null;
    redirectAutomatically: false;
    defaultLanguage: null;
  };
  receipt: { enabled: boolean | null; showQR: null; showPayments: null };
  paymentMethods?: InvoicePaymentMethodJson[];
};

/** One output that pays an invoice; amounts in coins. */
export type InvoicePaymentJson = {
  /** txid, a hyphen, and the index of the output. */
  id: string;
  receivedDate: number;
  value: string;
  fee: string;
  status: 'Invalid' | 'Processing' | 'Settled';
  destination: string;
};

/** How an invoice is paid: there is one way, on the chain. Amounts in coins. */
export type InvoicePaymentMethodJson = {
  paymentMethodId: string;
  /** What older servers call `paymentMethodId`. */
  paymentMethod: string;
  currency: string;
  cryptoCode: string;
  destination: string;
  paymentLink: string;
  /** Price of one coin in the invoice's currency. */
  rate: string;
  paymentMethodPaid: string;
  totalPaid: string;
  /** Negative when more came. */
  due: string;
  amount: string;
  paymentMethodFee: string;
  /** What older servers call `paymentMethodFee`. */
  networkFee: string;
  payments: InvoicePaymentJson[];
  activated: true;
  additionalData: Record<string, never>;
};

/** A receiver of signed events. */
export type ShopWebhookJson = {
  id: string;
  url: string;
  enabled: boolean;
  automaticRedelivery: true;
  authorizedEvents: { everything: boolean; specificEvents: string[] };
  /** In the answer to its creation only. */
  secret?: string;
};

/** What an event tells besides what all have. */
export type InvoiceEventDetails =
  | { type: 'InvoiceCreated' }
  | {
      type: 'InvoiceReceivedPayment' | 'InvoicePaymentSettled';
      afterExpiration: boolean;
      paymentMethodId: string;
      paymentMethod: string;
      payment: InvoicePaymentJson | null;
    }
  | { type: 'InvoiceProcessing'; overPaid: boolean }
  | { type: 'InvoiceExpired'; partiallyPaid: boolean }
  | { type: 'InvoiceSettled'; manuallyMarked: boolean; overPaid: boolean }
  | { type: 'InvoiceInvalid'; manuallyMarked: boolean };

/** Body of a webhook. */
export type InvoiceEventJson = InvoiceEventDetails & {
  deliveryId: string;
  webhookId: string;
  originalDeliveryId: string;
  isRedelivery: false;
  timestamp: number;
  storeId: string;
  invoiceId: string;
  metadata: Record<string, unknown>;
};
