/** The way out for webhooks: a connection, with TLS, to where merchants have them sent; nothing is sent. */

import type { Config } from '../config.ts';
import type { Precious } from '../db/precious.ts';
import { createAllowList } from '../outbound/allow-list.ts';
import { hostOf } from '../outbound/check-url.ts';
import { openGuardedSocket } from '../outbound/guarded-connect.ts';
import { hasRoute } from '../outbound/has-route.ts';
import { resolveHost } from '../outbound/resolve-host.ts';
import { listReceivers } from '../parts/payments/webhooks/list-receivers.ts';
import { type Finding, good, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;
const MOST = 5;
/** Documentation addresses (RFC 5737, 3849): only this machine's own tables are asked for a way. */
const OUTSIDE = ['192.0.2.1', '2001:db8::1'];

/** Whether this machine knows any way out. */
export async function checkRoute(findRoute = hasRoute): Promise<Finding[]> {
  const routes = await Promise.all(OUTSIDE.map((address) => findRoute(address)));
  if (routes.includes(true)) return [];
  return [
    warning(
      'webhooks.route',
      'This machine knows no way to addresses outside.',
      'Give it a route, or webhooks reach receivers of its own network only.',
    ),
  ];
}

/** Tries to reach the latest receivers. */
export async function checkWebhooks({ webhookAllow }: Config, precious: Precious): Promise<Finding[]> {
  const findings = await checkRoute();
  const allow = createAllowList(webhookAllow);
  const urls = await listReceivers(precious, MOST);
  const tried = await Promise.all(
    urls.map(async (text): Promise<Finding> => {
      const url = new URL(text);
      const secure = url.protocol === 'https:';
      const target = { secure, host: hostOf(url), port: Number(url.port || (secure ? 443 : 80)) };
      try {
        const options = { allow, resolve: resolveHost, connectTimeoutMs: TIMEOUT_MS };
        (await openGuardedSocket(target, options)).destroy();
        return good('webhooks.receiver', `${url.origin} can be connected to.`);
      } catch (error) {
        return warning(
          'webhooks.receiver',
          `${url.origin} cannot be connected to: ${(error as Error).message}`,
          'Look whether a firewall keeps this machine from going out, and its name servers answer; else it is the receiver.',
        );
      }
    }),
  );
  if (tried.length === 0) findings.push(good('webhooks.receiver', 'No merchant has webhooks sent yet.'));
  return [...findings, ...tried];
}
