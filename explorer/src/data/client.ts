import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { fetchPreloaded } from './preloaded.ts';

/** The service that this page came from. Repeated reads ask only whether something has changed. */
export const client = createClient({
  baseUrl: location.origin,
  fetch: fetchPreloaded,
  cacheEntries: 60,
  retries: 1,
});
