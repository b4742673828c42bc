/** What the owner of a node says of where alerts about it go. */
export type AlertRequest = {
  /** Host, with the port if there is one, of the service that is asked. */
  domain: string;
  /** Ed25519 public key of the registry, hex. */
  registryKey: string;
  /** Display hex of the genesis block. */
  genesisHash: string;
  /** Ed25519 public key of the node, hex. */
  nodeKey: string;
  /** The URL exactly as it is sent; null: nowhere any more. */
  url: string | null;
  /** Unix milliseconds, whole seconds. Later than that of the request before. */
  issuedAtMs: number;
};

/** The text that the node's key signs, as UTF-8 (docs/protocols/registry.md). */
export function writeAlertText(request: AlertRequest): string {
  return [
    `${request.domain} asks the owner of a node where alerts about it go.`,
    'Signing this text moves no coins.',
    '',
    'Purpose: node registry alerts, version 1',
    `Domain: ${request.domain}`,
    `Registry: ${request.registryKey}`,
    `Network: ${request.genesisHash}`,
    `Node key: ${request.nodeKey}`,
    `Alerts to: ${request.url ?? 'nobody'}`,
    `Issued: ${new Date(request.issuedAtMs).toISOString().replace('.000Z', 'Z')}`,
  ].join('\n');
}
