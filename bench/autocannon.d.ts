/** The part of autocannon that the load process uses. */
declare module 'autocannon' {
  export type Request = { method?: 'GET'; path: string };
  export type Client = { setRequests(requests: Request[]): void };
  export type Result = {
    requests: { average: number; total: number };
    latency: { p50: number; p99: number; max: number };
    duration: number;
    errors: number;
    timeouts: number;
    non2xx: number;
    '3xx'?: number;
  };
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    requests?: Request[];
    headers?: Record<string, string>;
    setupClient?: (client: Client) => void;
  }): Promise<Result>;
}
