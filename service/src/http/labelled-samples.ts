/** Values by one label that several processes have, put together. */

import type { LabelledSource } from './metrics-server.ts';

/** What a {@link LabelledSource} says at one moment, ready to be sent. */
export type LabelledSample = Omit<LabelledSource, 'list'> & { readonly values: readonly [string, number][] };

/** Takes a sample of each source. */
export function sampleLabelled(sources: readonly LabelledSource[]): LabelledSample[] {
  return sources.map(({ list, ...source }) => ({ ...source, values: [...list()] }));
}

/**
 * Counters, and what waits or is held, are added up; of another gauge the least is shown, which is the worst of what is in use, or
 * in step.
 */
export function renderLabelled(samples: readonly LabelledSample[]): string {
  const lines: string[] = [];
  for (const [name, same] of Map.groupBy(samples, (sample) => sample.name)) {
    const { kind, help, label } = same[0]!;
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind === 'counter' ? kind : 'gauge'}`);
    const values = new Map<string, number>();
    for (const [key, value] of same.flatMap((sample) => sample.values)) {
      const before = values.get(key);
      values.set(
        key,
        before === undefined ? value : kind === 'gauge' ? Math.min(before, value) : before + value,
      );
    }
    for (const [key, value] of values) lines.push(`${name}{${label}="${escapeLabel(key)}"} ${value}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
