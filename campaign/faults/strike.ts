import { setTimeout as delay } from 'node:timers/promises';
import { type Fault, faultTargets } from '../plan/faults.ts';
import type { Rig } from '../rig/rig.ts';
import type { Signers } from '../work/signers.ts';
import { strikeClock } from './clock.ts';
import { strikeDatabase } from './database.ts';
import { strikeDisk } from './disk.ts';
import { strikeLink } from './links.ts';
import { strikeNode } from './node.ts';
import { reorganise } from './reorganise.ts';
import { strikeService } from './service.ts';

/** Lets one fault strike at its moment, last, and be mended. When this resolves, what was broken is whole again. */
export async function strike(rig: Rig, signers: Signers, fault: Fault): Promise<void> {
  await delay(fault.atMs);
  switch (faultTargets[fault.kind]) {
    case 'service':
      return await strikeService(rig, fault);
    case 'node':
      if (fault.depth > 0) return await reorganise(rig, signers, fault);
      return await strikeNode(rig, fault);
    case 'database':
      return await strikeDatabase(rig, fault);
    case 'disk':
      return await strikeDisk(rig, fault);
    case 'clock':
      return await strikeClock(rig, fault);
    default:
      return await strikeLink(rig, fault);
  }
}
