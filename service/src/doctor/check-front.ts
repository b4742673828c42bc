/** What clients meet: the service itself, if it runs, and the proxy in front of it. */

import type { Config } from '../config.ts';
import { type Finding, fault, good, unknown, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;
const FORWARDED = 'coinfront_requests_forwarded_total';

/** Asks the service how it is, where it runs. */
export async function checkService({ listen, tls, roles }: Config): Promise<Finding> {
  const name = 'service.health';
  if (!roles.has('api')) return unknown(name, 'This process answers no requests; /metrics says how it is.');
  const host = listen.host === '0.0.0.0' ? '127.0.0.1' : listen.host === '::' ? '::1' : listen.host;
  const origin = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${listen.port}`;
  if (tls) return unknown(name, `It serves TLS itself on ${origin}; ask its public address.`);
  const health = await read(`${origin}/api/v1/health`);
  if (health === undefined) return unknown(name, `Nothing answers on ${origin}: the service does not run.`);
  const { status, ready, problem } = parse(health.text);
  if (ready === true && typeof problem !== 'string') return good(name, `It runs and is ${status}.`);
  return (ready === true ? warning : fault)(
    name,
    `It runs and is ${status}.`,
    typeof problem === 'string' ? problem : 'See /api/v1/health.',
  );
}

/**
 * Looks at what stands in front: without `X-Forwarded-For` that is believed all clients behind a proxy are one, and one of them can
 * spend the budget of all.
 */
export async function checkProxy(config: Config): Promise<Finding[]> {
  const { publicUrl, trustedProxies, tls, listen, metricsListen } = config;
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(listen.host);
  const findings = judgeFrontSettings(config);
  if (publicUrl === undefined) return findings;
  const remedyTrust = `Set COINFRONT_TRUST_PROXY to the proxy's address${isLocal ? ': loopback' : ''}.`;
  const before = await readForwarded(metricsListen);
  const answer = await read(`${publicUrl}/api/v1/health`);
  if (answer === undefined) {
    findings.push(
      warning(
        'proxy.reachable',
        `${publicUrl}/api/v1/health does not answer from here.`,
        'Look whether the proxy and the service run, and whether the name leads to it from this machine.',
      ),
    );
    if (isLocal && tls === undefined && trustedProxies.length === 0)
      findings.push(
        fault('proxy.trust', 'The service listens on this machine only, and believes no proxy.', remedyTrust),
      );
    return findings;
  }
  findings.push(
    typeof parse(answer.text).status === 'string'
      ? good('proxy.reachable', `${publicUrl} leads to a service.`)
      : fault(
          'proxy.reachable',
          `${publicUrl}/api/v1/health is answered by something else (status ${answer.status}).`,
          'Have the proxy pass all paths on, unchanged.',
        ),
  );
  const after = await readForwarded(metricsListen);
  if (before === undefined || after === undefined)
    findings.push(
      unknown(
        'proxy.forwarded',
        'The metrics of the service cannot be read, so how it sees clients is not known.',
      ),
    );
  else if (after.yes > before.yes)
    findings.push(good('proxy.forwarded', 'The proxy names its clients, and is believed.'));
  else if (after.no > before.no)
    findings.push(
      fault(
        'proxy.forwarded',
        "The proxy's X-Forwarded-For is not believed, so all clients share one budget.",
        remedyTrust,
      ),
    );
  else if (tls === undefined && publicUrl.startsWith('http:'))
    findings.push(
      new URL(publicUrl).host === `${listen.host}:${listen.port}`
        ? good('proxy.forwarded', 'Clients come to the service itself.')
        : warning(
            'proxy.forwarded',
            `No X-Forwarded-For came with a request to ${publicUrl}: right where no proxy stands in front of it.`,
            'Behind a proxy, have it write the address of its client into X-Forwarded-For; see docs/operate/.',
          ),
    );
  else if (tls === undefined)
    findings.push(
      fault(
        'proxy.forwarded',
        'What stands in front sends no X-Forwarded-For, so all clients share one budget.',
        'Have the proxy write the address of its client into X-Forwarded-For; see docs/operate/.',
      ),
    );
  return findings;
}

/** Judges what is set about it, which needs no request. */
export function judgeFrontSettings({
  publicUrl,
  trustedProxies,
}: Pick<Config, 'publicUrl' | 'trustedProxies'>): Finding[] {
  const findings: Finding[] = [];
  if (trustedProxies.some((entry) => /\/0+$/.test(entry)))
    findings.push(
      fault(
        'proxy.trust',
        'COINFRONT_TRUST_PROXY believes every address, so any client can say who it is.',
        "Name the proxy's own address only.",
      ),
    );
  if (publicUrl === undefined)
    findings.push(
      warning(
        'proxy.public_url',
        'COINFRONT_PUBLIC_URL is not set: links to checkout pages, and what issuers sign, have no host.',
        'Set it to the address that clients use, such as https://coin.example.',
      ),
    );
  else if (publicUrl.startsWith('http:') && !isOfThisMachine(publicUrl))
    findings.push(
      warning(
        'proxy.tls',
        `${publicUrl} has no encryption.`,
        'Terminate TLS at the proxy, or set COINFRONT_TLS_CERT.',
      ),
    );
  return findings;
}

function isOfThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

type Forwarded = { yes: number; no: number };

async function readForwarded(listen: Config['metricsListen']): Promise<Forwarded | undefined> {
  if (listen === undefined) return undefined;
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  const answer = await read(`http://${host}:${listen.port}/metrics`);
  if (answer === undefined) return undefined;
  const count = (believed: string): number =>
    Number(new RegExp(`^${FORWARDED}\\{believed="${believed}"\\} (\\d+)$`, 'm').exec(answer.text)?.[1] ?? 0);
  return { yes: count('yes'), no: count('no') };
}

async function read(url: string): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
