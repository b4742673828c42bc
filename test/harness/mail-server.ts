import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail server on loopback that takes everything and passes nothing on. */
export type MailServer = {
  readonly port: number;
  /** Whole messages, as they came. */
  readonly messages: string[];
  stop(): Promise<void>;
};

/** Starts one. It knows as much of SMTP as a client needs that neither logs in nor encrypts. */
export async function startMailServer(): Promise<MailServer> {
  const messages: string[] = [];
  const server = createServer((socket) => {
    let message: string[] | undefined;
    const answer = (line: string): void => void socket.write(`${line}\r\n`);
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).on('line', (line) => {
      if (message !== undefined) {
        if (line !== '.') return void message.push(line);
        messages.push(message.join('\n'));
        message = undefined;
        return answer('250 taken');
      }
      if (line.toUpperCase() !== 'DATA') return answer(/^quit/i.test(line) ? '221 bye' : '250 fine');
      message = [];
      answer('354 go on');
    });
    answer('220 here');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    async stop() {
      server.close();
      await once(server, 'close');
    },
  };
}
