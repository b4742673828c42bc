import type { RateListJson } from '@coinfront/api/rates.ts';

const list: RateListJson = {
  max_age_seconds: 600,
  items: [
    {
      currency: 'EUR',
      decimals: 2,
      rate: '0.0123',
      sources: ['house', 'exchange-a'],
      at: '2026-03-01T11:59:30.000Z',
      age_seconds: 30,
    },
    { currency: 'JPY', decimals: 0, rate: null, sources: [], at: null, age_seconds: null },
  ],
};

/** Examples of the routes about rates. */
export const rateExamples = { list };
