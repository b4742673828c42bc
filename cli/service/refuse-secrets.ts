import type { KeyRules } from '@coinfront/protocol/private-key.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { CliError } from '../shell/cli-error.ts';

/** Versions from 128 up are looked for on every coin; no shipped one has a lower. */
const rules: KeyRules = { wifVersion: 128 };

const noLook = { findPrivateKeyInJson: () => undefined };

/**
 * The client, through which nothing leaves this machine that looks like a private key or a mnemonic: a service would refuse it,
 * but would have seen it.
 */
export function refuseSecrets(client: Client): Client {
  return {
    ...client,
    async request(call, options) {
      const parts = [call.params, call.headers, call.body].filter((part) => part !== undefined);
      // What sends nothing needs no list of words to look for: it takes longer to load than to ask.
      const { findPrivateKeyInJson } =
        parts.length > 0 ? await import('@coinfront/protocol/private-key.ts') : noLook;
      for (const part of parts) {
        if (findPrivateKeyInJson(part, rules) === undefined) continue;
        const message =
          'What was to be sent holds what looks like a private key or a mnemonic. It was not sent.';
        throw new CliError('private_key_refused', message);
      }
      return await client.request(call, options);
    },
  };
}
