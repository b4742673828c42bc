import { electrumCosts, electrumLimits } from '../electrum-limits.ts';
import { toJson } from '../rpc/messages.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { chooseVersion, protocolVersions } from '../session/version-rules.ts';
import type { Method, Methods } from './method.ts';

const { call: cost } = electrumCosts;

const version: Method = {
  parameters: ['client_name', 'protocol_version'],
  required: 0,
  takesMore: true,
  cost,
  answer({ software }, session, [, asked]) {
    if (session.hasGreeted) throw new RpcError('refused', 'server.version already sent');
    const chosen = chooseVersion(asked, session.hasCalled);
    if (chosen === 'invalid')
      throw new RpcError('refused', 'protocol_version should be a text such as "1.4", or two of them', {
        closes: true,
      });
    if (chosen === undefined) {
      const { least, greatest } = protocolVersions;
      const late = session.hasCalled ? '; 1.6 needs server.version as the first call' : '';
      throw new RpcError(
        'refused',
        `unsupported protocol version: ${least} to ${greatest} are spoken${late}`,
        {
          closes: true,
        },
      );
    }
    session.hasGreeted = true;
    session.version = chosen;
    return toJson([software, chosen.text]);
  },
};

const features: Method = {
  parameters: [],
  required: 0,
  cost,
  answer({ profile, software, publicHost, ports }) {
    const { tcp, tls, ws, wss } = ports;
    const reach = { tcp_port: tcp, ssl_port: tls, ws_port: ws, wss_port: wss };
    return toJson({
      genesis_hash: profile.genesisHash,
      hosts: publicHost === undefined ? {} : { [publicHost]: reach },
      protocol_min: protocolVersions.least,
      protocol_max: protocolVersions.greatest,
      pruning: null,
      server_version: software,
      hash_function: 'sha256',
      max_history_txs: electrumLimits.historyTxs,
      max_batch_calls: electrumLimits.batchCalls,
      max_message_bytes: electrumLimits.messageBytes,
      max_subscriptions: electrumLimits.subscriptions.ofSession,
    });
  },
};

/** Methods about the server itself. */
export const serverMethods: Methods = {
  'server.version': version,
  'server.features': features,
  'server.banner': {
    parameters: [],
    required: 0,
    cost,
    answer: ({ profile, software }) => toJson(`${profile.name}: ${software}`),
  },
  'server.donation_address': { parameters: [], required: 0, cost, answer: () => '""' },
  'server.ping': { parameters: [], required: 0, cost, answer: () => 'null' },
  // Servers are found by what wallets ship and operators publish: none is told of another here.
  'server.peers.subscribe': { parameters: [], required: 0, cost, answer: () => '[]' },
};
