/** Example bodies for the OpenAPI document: the checkout page. */

import type { CheckoutSettingsJson } from '@coinfront/api/checkout.ts';

const settings: CheckoutSettingsJson = {
  name: 'Example Coffee',
  mark: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  embed_origins: ['https://shop.example'],
};

/** Examples of the routes about the checkout page. */
export const checkoutExamples = { settings };
