/** The checkout page as its merchant sets it up: schemas. */

import Type, { type Static } from 'typebox';
import { Nullable, Strict } from './common.ts';

/** Bounds of what a merchant can have shown. */
export const checkoutLimits = {
  nameLength: 60,
  markBytes: 16_384,
  /** A side of the mark. */
  markPixels: 512,
  embedOrigins: 10,
  originLength: 300,
  returnUrlLength: 2_000,
} as const;

/** An address that the buyer's browser is sent to. */
export const ReturnUrl = Type.String({
  minLength: 8,
  maxLength: checkoutLimits.returnUrlLength,
  description:
    'Absolute https URL that the checkout page leads back to. `payment_id`, `status`, `timestamp` and `signature` are added.',
});

const settings = {
  name: Nullable(
    Type.String({
      minLength: 1,
      maxLength: checkoutLimits.nameLength,
      description: "The shop as payers know it; null shows the merchant's name. Public.",
    }),
  ),
  mark: Nullable(
    Type.String({
      minLength: 4,
      maxLength: Math.ceil(checkoutLimits.markBytes / 3) * 4,
      description:
        `Picture beside the name: the base64 of a PNG or WebP, ${checkoutLimits.markBytes} bytes and ` +
        `${checkoutLimits.markPixels} pixels a side at most; null shows none. Public.`,
    }),
  ),
  embed_origins: Type.Array(
    Type.String({
      minLength: 8,
      maxLength: checkoutLimits.originLength,
      description: 'An origin, such as https://shop.example.',
    }),
    {
      maxItems: checkoutLimits.embedOrigins,
      description: 'Whose pages may have the checkout page in a frame; nobody else may.',
    },
  ),
};

/** Body of PUT /merchant/checkout; what is left out is as at the beginning. */
export const CheckoutSettingsBody = Strict(
  {
    name: Type.Optional(settings.name),
    mark: Type.Optional(settings.mark),
    embed_origins: Type.Optional(settings.embed_origins),
  },
  { title: 'CheckoutSettingsRequest' },
);
export type CheckoutSettingsRequestJson = Static<typeof CheckoutSettingsBody>;

/** Answer of GET and PUT /merchant/checkout. */
export const CheckoutSettingsView = Strict(settings, { title: 'CheckoutSettings' });
export type CheckoutSettingsJson = Static<typeof CheckoutSettingsView>;
