import type { Listen } from '../config-values.ts';

/** The line for an address that cannot be listened on: which setting names it, and what to do. */
export function explainListen(setting: string, { host, port }: Listen, error: NodeJS.ErrnoException): string {
  const at = (number: number) => `${host.includes(':') ? `[${host}]` : host}:${number}`;
  const example = `${setting}=${at(port < 65_535 ? port + 1 : port - 1)}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `${setting}: another program listens on ${at(port)} already. End it, or choose another port, such as ${example}`;
    case 'EACCES':
      return `${setting}: this user may not listen on ${at(port)}. Choose a port from 1024 on, such as ${setting}=${at(8080)}`;
    default:
      return `${setting}: ${error.message}`;
  }
}
