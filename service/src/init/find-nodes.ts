import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChainName, readNodeConf } from './node-conf.ts';

/** A way to a node's RPC. */
export type NodeAddress = {
  /** With user and password where there is no cookie. */
  url: string;
  cookieFile: string | undefined;
};

type KnownCoin = { name: string; ports: Readonly<Partial<Record<ChainName, number>>> };

const knownCoins: readonly KnownCoin[] = [
  { name: 'bitcoin', ports: { main: 8332, test: 18332, testnet4: 48332, signet: 38332, regtest: 18443 } },
  { name: 'litecoin', ports: { main: 9332, test: 19332, regtest: 19443 } },
  { name: 'dogecoin', ports: { main: 22555, test: 44555, regtest: 18332 } },
];

/** Folders of a chain within a node's data folder. */
const chainFolders: Readonly<Record<ChainName, readonly string[]>> = {
  main: [''],
  test: ['testnet3', 'testnet4'],
  testnet4: ['testnet4'],
  signet: ['signet'],
  regtest: ['regtest'],
};

/**
 * Nodes whose data folder is at one of the usual places, and lets us in: by its cookie, which is there while it runs, or by user and
 * password of its configuration file.
 */
export function findNodes(home: string): NodeAddress[] {
  return knownCoins.flatMap(({ name, ports }) => {
    const places = [join(home, `.${name}`), `/var/lib/${name}d`, `/var/lib/${name}`];
    return places.flatMap((folder) => {
      const text = readText(join(folder, `${name}.conf`)) ?? readText(`/etc/${name}/${name}.conf`);
      return findInFolder(folder, ports, text);
    });
  });
}

/** The node of one data folder, on the chain that its configuration chooses, and what runs beside on other chains. */
function findInFolder(folder: string, ports: KnownCoin['ports'], text: string | undefined): NodeAddress[] {
  const conf = readNodeConf(text ?? '');
  const found: NodeAddress[] = [];
  for (const chain of Object.keys(ports) as ChainName[]) {
    const isChosen = chain === conf.chain;
    const port = (isChosen ? conf.rpcPort : undefined) ?? ports[chain]!;
    const cookieFile = chainFolders[chain]
      .map((each) => join(folder, each, '.cookie'))
      .find((file) => isReadable(file));
    const origin = `127.0.0.1:${port}`;
    if (cookieFile !== undefined) found.push({ url: `http://${origin}`, cookieFile });
    else if (isChosen && conf.user !== undefined && conf.password !== undefined) {
      const user = encodeURIComponent(conf.user);
      found.push({
        url: `http://${user}:${encodeURIComponent(conf.password)}@${origin}`,
        cookieFile: undefined,
      });
    }
  }
  return found;
}

/** How a node is named to people: never with its password. */
export function describeAddress({ url, cookieFile }: NodeAddress): string {
  const { host } = new URL(url);
  return cookieFile === undefined ? host : `${host} (${cookieFile})`;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
