/** What of a node's configuration file says how its RPC is reached. */
export type NodeConf = {
  /** Core's name of the chain that is chosen there. */
  chain: ChainName;
  rpcPort: number | undefined;
  user: string | undefined;
  password: string | undefined;
};

export type ChainName = 'main' | 'test' | 'testnet4' | 'signet' | 'regtest';

const flags: Readonly<Record<string, ChainName>> = {
  testnet: 'test',
  testnet4: 'testnet4',
  signet: 'signet',
  regtest: 'regtest',
};

/**
 * Reads `bitcoin.conf` and its like: settings before any section hold for all chains but the port, which holds for the main one; those
 * of a section hold for its chain. The first of several counts, as with Bitcoin Core.
 */
export function readNodeConf(text: string): NodeConf {
  const sections = new Map<string, Map<string, string>>([['', new Map()]]);
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const stripped = line.replace(/(^|\s)#.*$/, '').trim();
    const head = /^\[(\w+)\]$/.exec(stripped);
    if (head) {
      section = head[1]!;
      if (!sections.has(section)) sections.set(section, new Map());
      continue;
    }
    const at = stripped.indexOf('=');
    if (at === -1) continue;
    const values = sections.get(section)!;
    const name = stripped.slice(0, at).trim();
    if (!values.has(name)) values.set(name, stripped.slice(at + 1).trim());
  }
  const general = sections.get('')!;
  const flag = Object.keys(flags).find((name) => general.get(name) === '1');
  const named = Object.values(flags).find((name) => name === general.get('chain'));
  const chain = named ?? (flag === undefined ? 'main' : flags[flag]!);
  const own = sections.get(chain);
  const port = Number(own?.get('rpcport') ?? (chain === 'main' ? general.get('rpcport') : undefined));
  return {
    chain,
    rpcPort: Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined,
    user: own?.get('rpcuser') ?? general.get('rpcuser'),
    password: own?.get('rpcpassword') ?? general.get('rpcpassword'),
  };
}
