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

export const usage = `coinfront init [options]: finds a node, looks at it and at this machine, and writes the settings' file
  --node-url <url>      the node's RPC: http://user:password@127.0.0.1:8332, or without both and with --node-cookie
  --node-cookie <file>  the node's .cookie file
  --coin <name>         a shipped coin profile, or the path of a profile file; found by the genesis block unless given
  --data-dir <folder>   where the index and the payments are kept; ./coinfront-data unless given
  --database-url <url>  postgres://…: PostgreSQL instead of SQLite
  --listen <address>    host:port of the public interface; 127.0.0.1:8080 unless given
  --public-url <url>    what clients will call it, such as https://coin.example
  --env <file>          the file that is written; ./coinfront.env unless given
  --force               replaces that file where it is there
  --anyway              writes it although the node or this machine will not do as it is
  --yes                 asks nothing: what is not given is found, or has its default`;

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
