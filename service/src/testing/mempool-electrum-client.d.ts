/** What tests use of a client that comes without types. */
declare module '@mempool/electrum-client' {
  import type { EventEmitter } from 'node:events';

  type Balance = { confirmed: number; unconfirmed: number };
  type History = { tx_hash: string; height: number }[];

  export default class ElectrumClient {
    constructor(
      port: number,
      host: string,
      protocol: 'tcp' | 'tls',
      options?: object,
      callbacks?: { onLog(text: string): void },
    );
    readonly versionInfo: [string, string];
    readonly subscribe: EventEmitter;
    initElectrum(config: { client: string; version: string | string[] }): Promise<this>;
    blockchainScripthash_getBalance(scripthash: string): Promise<Balance>;
    blockchainScripthash_getHistory(scripthash: string): Promise<History>;
    blockchainScripthash_getHistoryBatch(
      scripthashes: string[],
    ): Promise<{ result: History; param: string }[]>;
    blockchainScripthash_subscribe(scripthash: string): Promise<string>;
    close(): void;
  }
}
