/** What the hashing thread tells the page. */
export type HashMessage =
  | { kind: 'progress'; bytes: number; isFast: boolean }
  | { kind: 'done'; digest: string }
  | { kind: 'failed'; reason: string };
