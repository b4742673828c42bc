import { registerNode } from '@coinfront/sdk/nodes/register-node.ts';
import { verifyClaim } from '@coinfront/sdk/nodes/verify-claim.ts';
import { nodePublicKey } from '@coinfront/sdk/wallet/node-identity.ts';
import { nextAddress } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { signNodeClaim } from '@coinfront/sdk/wallet/sign-node-claim.ts';
import { loadWallet, unlockWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { followRegistry } from '../service/follow-registry.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { chooseKind } from '../wallet/address-kind.ts';
import { confirm } from '../wallet/confirm.ts';
import { findOwnAddress } from '../wallet/find-own-address.ts';
import { nodeOption, readNodeIndex } from '../wallet/node-index.ts';
import { scanWallet } from '../wallet/scan-wallet.ts';

export const nodeRegisterCommand = defineCommand({
  name: 'node register',
  summary: 'register a node of the coin, or renew or move its registration',
  details: `A key of the wallet, which holds no coins, and the payout address both sign a text that is built on this machine. A restored
wallet has the same key. An endpoint registered by another node is taken over when the node there shows the token.`,
  args: [
    { name: 'endpoint', summary: 'where the node listens: ip:port, [ipv6]:port, host:port or onion:port' },
  ],
  options: {
    payout: { value: '<address>', summary: 'an address of the wallet (default: its next one)' },
    node: nodeOption,
    'registry-key': { value: '<hex>', summary: 'refuse any registry with another key' },
    domain: {
      value: '<host>',
      summary: "the registry's public host (default: that of the service's URL)",
    },
  },
  async run(context, { args: { endpoint }, options }) {
    const file = await loadWallet(context);
    const session = await connectWallet(context, file);
    const { network } = file.watch;
    const payout =
      options.payout === undefined
        ? nextAddress(await scanWallet(context, file.watch, session), {
            kind: chooseKind(undefined, network),
            chain: 0,
          })
        : findOwnAddress(file.watch, options.payout);
    const { registry_key: registryKey } = (await followRegistry(context, session)).status;
    if (registryKey === null) {
      throw new CliError('registry_not_ready', 'The registry has no key yet: try again when it has begun.');
    }
    const trusted = options['registry-key']?.toLowerCase();
    if (trusted !== undefined && trusted !== registryKey) {
      throw new CliError(
        'registry_foreign',
        `The registry's key is ${registryKey}, not the one that you trust.`,
      );
    }
    const domain = options.domain ?? new URL(session.service).host;
    const nodeIndex = readNodeIndex(options.node);
    await confirm(
      context,
      [
        `You register a node at ${domain}`,
        `  endpoint  ${endpoint}`,
        `  rewards   to ${payout.address}`,
        `  registry  ${registryKey}`,
      ],
      'Sign it with the node key and the payout address?',
    );
    const keys = await unlockWallet(context, file);
    try {
      const claim = await registerNode(session.client, {
        node_key: nodePublicKey(keys, nodeIndex),
        endpoint,
        payout_address: payout.address,
      });
      const intent = { domain, registryKey, endpoint: claim.endpoint, payout, nodeIndex };
      if (claim.endpoint !== endpoint) {
        throw new CliError(
          'claim_mismatch',
          `The registry writes the endpoint as ${claim.endpoint}: give it so.`,
        );
      }
      const verified = await verifyClaim(session.client, signNodeClaim(keys, intent, claim));
      const { state, node_key, endpoint_token } = verified.claim;
      return {
        json: {
          state,
          node_key,
          endpoint,
          payout_address: payout.address,
          endpoint_token,
          claim_id: claim.id,
        },
        lines: [
          `${state}: node ${node_key}`,
          ...(state === 'awaiting_endpoint'
            ? ['Another node holds the endpoint, until yours shows the token:']
            : []),
          `Start the node with -uacomment=${endpoint_token} to prove that the endpoint is yours.`,
        ],
      };
    } finally {
      keys.wipe();
    }
  },
});
