import type { Finding } from '../doctor/finding.ts';
import { runDoctor } from '../doctor/run-doctor.ts';

const marks: Readonly<Record<Finding['level'], string>> = {
  ok: 'ok      ',
  warning: 'warning ',
  fault: 'FAULT   ',
  unknown: '?       ',
};

/** Runs the doctor; `isSound` is false where something is wrong, which a warning is not. */
export async function runDoctorCommand(): Promise<{ isSound: boolean; lines: string[]; json: object }> {
  const findings = await runDoctor();
  const count = (level: Finding['level']): number => findings.filter((each) => each.level === level).length;
  const isSound = count('fault') === 0;
  const lines = findings.flatMap(({ level, check, text, remedy }) => [
    `${marks[level]}${check}  ${text}`,
    ...(remedy === undefined ? [] : [`          → ${remedy}`]),
  ]);
  const sum = `${count('fault')} faults, ${count('warning')} warnings, ${count('ok')} in order, ${count('unknown')} not known.`;
  return { isSound, lines: [...lines, '', sum], json: { sound: isSound, findings } };
}
