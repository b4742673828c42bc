/** `coinfront init`: finds a node, looks at it and at this machine, and writes the settings' file. It changes nothing else. */

import { existsSync, statfsSync } from 'node:fs';
import { homedir, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { loadProfile } from '../load-profile.ts';
import { type Asker, createAsker, LeftError } from './ask.ts';
import { chooseNode } from './choose-node.ts';
import { describeThere, writeEnvFile, writeEnvText } from './env-file.ts';
import { findNodes } from './find-nodes.ts';
import { type Finding, judgeMachine } from './judge-machine.ts';
import { judgeNode } from './judge-node.ts';
import { findProfiles } from './look-at-node.ts';
import { type InitOptions, parseInitOptions, usage } from './parse-options.ts';

/** Exit codes: done; not done, for a reason that is told; not understood. */
const [DONE, FAILED, MISUSED] = [0, 1, 2];

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const parsed = parseInitOptions(args);
  if (!parsed.ok) {
    console.error(`${parsed.reason}\n\n${usage}`);
    return MISUSED;
  }
  const options = parsed.value;
  if (options.help) {
    console.log(usage);
    return DONE;
  }
  const asker = createAsker(!options.yes && process.stdin.isTTY && process.stdout.isTTY);
  try {
    return await init(options, asker);
  } catch (error) {
    if (error instanceof LeftError) return refuse('\nNothing was written.');
    throw error;
  } finally {
    asker.close();
  }
}

async function init(options: InitOptions, asker: Asker): Promise<number> {
  const envFile = resolve(options.envFile);
  if (existsSync(envFile) && !options.force) return refuse(describeThere(envFile));

  const { nodeUrl, nodeCookie } = options;
  const named = nodeUrl === undefined ? undefined : { url: nodeUrl, cookieFile: nodeCookie };
  const node = await chooseNode(named, () => findNodes(homedir()), asker);
  if (!node.ok) return refuse(node.reason);
  const { address, look } = node.value;

  const coin = options.coin ?? (await chooseCoin(look.facts.genesisHash, asker));
  if (coin === undefined) {
    return refuse(
      `No shipped coin profile begins with the node's block ${look.facts.genesisHash}. Name the file of one: --coin coin.json (docs/coin-profile.md).`,
    );
  }
  const profile = loadProfile(coin);
  if (!profile.ok) return refuse(profile.reason);
  if (profile.value.genesisHash !== look.facts.genesisHash) {
    return refuse(
      `The profile "${coin}" is of another chain: it begins with ${profile.value.genesisHash}, the node's with ${look.facts.genesisHash}.`,
    );
  }

  const dataDir = resolve(options.dataDir ?? (await asker.ask('Folder of the data', './coinfront-data')));
  const listen = options.listen ?? (await asker.ask('Where it listens', '127.0.0.1:8080'));
  const findings = [
    ...judgeNode(look),
    ...judgeMachine(
      look.transactions,
      { freeDiskBytes: freeBytes(dataDir), memoryBytes: totalmem() },
      options.databaseUrl === undefined ? 'sqlite' : 'postgres',
    ),
  ];
  console.log(`Coin profile: ${coin}\n${findings.map(describeFinding).join('\n')}`);
  if (findings.some(({ level }) => level === 'bad') && !options.anyway) {
    const answer = asker.isPresent ? await asker.ask('Write the file all the same? Type yes', 'no') : 'no';
    if (answer !== 'yes') return refuse('Nothing was written; --anyway writes it all the same.');
  }

  const settings = new Map(
    Object.entries({
      COINFRONT_NODE_URL: address.url,
      COINFRONT_NODE_COOKIE: address.cookieFile && resolve(address.cookieFile),
      COINFRONT_COIN: existsSync(coin) ? resolve(coin) : coin,
      COINFRONT_DATA_DIR: dataDir,
      COINFRONT_LISTEN: listen,
      COINFRONT_DATABASE_URL: options.databaseUrl,
      COINFRONT_PUBLIC_URL: options.publicUrl,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const config = readConfig(Object.fromEntries(settings));
  if (!config.ok) return refuse(config.problems.join('\n'));
  const written = writeEnvFile(envFile, writeEnvText(settings), { replace: options.force });
  if (!written.ok) return refuse(written.reason);
  const where = options.envFile === 'coinfront.env' ? '' : ` --env ${options.envFile}`;
  console.log(`\nWritten to ${envFile}, for its owner's eyes only. Now:\n  coinfront serve${where}`);
  return DONE;
}

async function chooseCoin(genesisHash: string, asker: Asker): Promise<string | undefined> {
  const profiles = findProfiles(genesisHash);
  if (profiles.length > 0) return profiles[0];
  if (!asker.isPresent) return undefined;
  const file = await asker.ask(
    `No shipped profile begins with block ${genesisHash}. File of the coin's profile`,
  );
  return file || undefined;
}

/** Of the disk that the folder is or will be on. */
function freeBytes(folder: string): number {
  let at = folder;
  while (!existsSync(at)) at = dirname(at);
  const { bavail, bsize } = statfsSync(at);
  return bavail * bsize;
}

function describeFinding({ level, text }: Finding): string {
  return `${{ good: '  ok    ', note: '  note  ', bad: '  BAD   ' }[level]}${text}`;
}

function refuse(reason: string): number {
  console.error(reason);
  return FAILED;
}
