import { readWhole } from './amounts.ts';

/** Which node of the wallet: each has a key of its own. */
export const nodeOption = {
  value: '<number>',
  summary: 'which node of the wallet, from 0 (default: the first)',
} as const;

/** @throws CliError `misused` */
export function readNodeIndex(text: string | undefined): number {
  return readWhole('--node', text ?? '0', { min: 0, max: 0x7fffffff });
}
