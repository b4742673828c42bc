import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';

/** What was said on the command line; undefined is found, or asked for. */
export type InitOptions = {
  nodeUrl: string | undefined;
  nodeCookie: string | undefined;
  coin: string | undefined;
  dataDir: string | undefined;
  databaseUrl: string | undefined;
  listen: string | undefined;
  publicUrl: string | undefined;
  /** The file that is written. */
  envFile: string;
  /** Asks nothing. */
  yes: boolean;
  /** May replace a file that is there. */
  force: boolean;
  /** Writes it although the node or the machine will not do. */
  anyway: boolean;
  help: boolean;
};

export const usage = `Usage: coinfront init [options]

Finds a node, checks it and this machine, and writes the settings file.

  --node-url <url>      the node's RPC: http://user:password@127.0.0.1:8332, or without both and with --node-cookie
  --node-cookie <file>  the node's .cookie file
  --coin <name>         a shipped coin profile, or the path of a profile file (default: found by the genesis block)
  --data-dir <folder>   folder of the index and the payments (default: ./coinfront-data)
  --database-url <url>  postgres://…: PostgreSQL instead of SQLite
  --listen <address>    host:port of the public interface (default: 127.0.0.1:8080)
  --public-url <url>    public URL of the service, such as https://coin.example
  --env <file>          the file to write (default: ./coinfront.env)
  --force               replace an existing file
  --anyway              write it even if the node or this machine does not meet the requirements
  --yes                 ask nothing: use what is found, and defaults`;

/** Reads the command line. */
export function parseInitOptions(args: readonly string[]): Result<InitOptions> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        'node-url': { type: 'string' },
        'node-cookie': { type: 'string' },
        coin: { type: 'string' },
        'data-dir': { type: 'string' },
        'database-url': { type: 'string' },
        listen: { type: 'string' },
        'public-url': { type: 'string' },
        env: { type: 'string', default: 'coinfront.env' },
        force: { type: 'boolean', default: false },
        anyway: { type: 'boolean', default: false },
        yes: { type: 'boolean', short: 'y', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { env: envFile, yes, force, anyway, help } = values;
    return ok({
      nodeUrl: values['node-url'],
      nodeCookie: values['node-cookie'],
      coin: values.coin,
      dataDir: values['data-dir'],
      databaseUrl: values['database-url'],
      listen: values.listen,
      publicUrl: values['public-url'],
      envFile,
      yes,
      force,
      anyway,
      help,
    });
  } catch (error) {
    return fail((error as Error).message);
  }
}
