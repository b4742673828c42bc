import { expect, test } from 'vitest';
import { createDiskPace, type DiskPace } from './disk-pace.ts';
import { poolFetcher } from './fetch-bytes.ts';

/** A clock that only reads move on. */
function withClock(read: (pace: DiskPace, tookMs: (ms: number) => () => void) => void): void {
  const { now } = performance;
  let ms = 0;
  performance.now = () => ms;
  try {
    read(createDiskPace(), (took) => () => {
      ms += took;
    });
  } finally {
    performance.now = now;
  }
}

const MEMORY_MS = 0.003;
const DISK_MS = 0.15;

test('a disk is slow when some of many reads are waited for, and not because of a single one', () => {
  withClock((pace, took) => {
    pace.timed(4_096, took(20));
    expect(pace.isSlow).toBe(false);
    for (let i = 0; i < 200; i++) pace.timed(4_096, took(i % 4 === 0 ? DISK_MS : MEMORY_MS));
    expect(pace.isSlow).toBe(true);
  });
});

test('it is no longer slow when next to none is waited for', () => {
  withClock((pace, took) => {
    for (let i = 0; i < 100; i++) pace.timed(4_096, took(DISK_MS));
    for (let i = 0; i < 100; i++) pace.timed(4_096, took(MEMORY_MS));
    expect(pace.isSlow).toBe(true);
    for (let i = 0; i < 200; i++) pace.timed(4_096, took(MEMORY_MS));
    expect(pace.isSlow).toBe(false);
  });
});

test('what was brought to memory before says nothing about the disk', () => {
  withClock((pace, took) => {
    for (let i = 0; i < 100; i++) pace.timed(4_096, took(DISK_MS));
    for (let i = 0; i < 1_000; i++) pace.untimed(() => pace.timed(4_096, took(MEMORY_MS)));
    expect(pace.isSlow).toBe(true);
  });
});

test('a megabyte takes its time from memory, too', () => {
  withClock((pace, took) => {
    for (let i = 0; i < 100; i++) pace.timed(1_000_000, took(0.5));
    expect(pace.isSlow).toBe(false);
  });
});

test('one read in sixteen is a sample, but none where those who fetch say how long it took', async () => {
  const countSamples = (pace: DiskPace): number =>
    Array.from({ length: 160 }, () => pace.takesSample()).filter(Boolean).length;
  expect(countSamples(createDiskPace(poolFetcher))).toBe(10);
  expect(countSamples(createDiskPace({ isTimed: true, fetch: async () => 0 }))).toBe(0);
});

test('what threads say of their reads says whether the disk is slow; what they did not measure says nothing', async () => {
  let tookMs = DISK_MS;
  const pace = createDiskPace({ isTimed: true, fetch: async () => tookMs });
  const fetchMany = async (ms: number): Promise<boolean> => {
    tookMs = ms;
    for (let i = 0; i < 300; i++) await pace.fetch(0, 0, 4_096);
    return pace.isSlow;
  };
  expect(await fetchMany(DISK_MS)).toBe(true);
  expect(await fetchMany(Number.NaN)).toBe(true);
  expect(await fetchMany(MEMORY_MS)).toBe(false);
});
