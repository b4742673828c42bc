import { findPrivateKeyInJson, type KeyRules } from '@coinfront/protocol/private-key.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { CliError } from '../shell/cli-error.ts';

/** Versions from 128 up are looked for on every coin; no shipped one has a lower. */
const rules: KeyRules = { wifVersion: 128 };

/**
 * The client, through which nothing leaves this machine that looks like a private key or a mnemonic: a service would refuse it,
 * but would have seen it.
 */
export function refuseSecrets(client: Client): Client {
  return {
    ...client,
    async request(call, options) {
      for (const part of [call.params, call.headers, call.body]) {
        if (findPrivateKeyInJson(part, rules) === undefined) continue;
        const message =
          'What was to be sent holds what looks like a private key or a mnemonic. It was not sent.';
        throw new CliError('private_key_refused', message);
      }
      return await client.request(call, options);
    },
  };
}
