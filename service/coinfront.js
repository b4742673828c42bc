#!/usr/bin/env node
/**
 * `coinfront`: finds the Node that the service runs on, reads the settings' file, and becomes the program that was asked for.
 *
 * It is JavaScript, and written so that any Node since version 18 can run it: this is what starts before the right one is known.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The Node that the service is tested with; a later one will do. */
const NODE_MAJOR = 26;
const here = dirname(fileURLToPath(import.meta.url));
/** Sources run as they are in the repository; its packages hold what was compiled. */
const ending = existsSync(join(here, 'src', 'main.ts')) ? 'ts' : 'js';
/** Where settings are looked for: here, and where the Debian package keeps them. */
const usualFiles = [resolve('coinfront.env'), '/etc/coinfront/coinfront.env'];
const programs = {
  serve: ['src/main', []],
  init: ['src/init/main', []],
  admin: ['src/admin/main', []],
  doctor: ['src/admin/main', ['doctor']],
  bench: ['../bench/main', []],
};

/**
 * For glibc, with which a first sync takes a tenth less memory then: fewer heaps, and what has a megabyte and more goes back to the system as
 * soon as it is freed.
 */
const LESS_MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' };
const usage = `Usage: coinfront <command> [--env <file>] [options]

  init     finds a node, checks it and this machine, and writes the settings file
  serve    starts the service
  admin    the operator's commands: coinfront admin --help
  doctor   checks the whole set-up and says what to fix: the same as coinfront admin doctor
  bench    benchmarks on a generated chain: coinfront bench --help
  --version, --help

Settings are read from the environment and from the file given with --env, or else from ./coinfront.env or
/etc/coinfront/coinfront.env. The environment takes precedence.`;

main(process.argv.slice(2));

function main([name, ...rest]) {
  if (name === '--version' || name === '-v') {
    console.log(JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).version);
    return;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(usage);
    process.exitCode = name === undefined ? 2 : 0;
    return;
  }
  if (!Object.hasOwn(programs, name)) return refuse(`"${name}" is no command.\n\n${usage}`);
  const [file, first] = programs[name];
  // `init` writes the file that the others read, and the bench has nothing to do with it.
  const settings = name === 'init' || name === 'bench' ? { args: rest } : readSettings(rest);
  if (settings.problem !== undefined) return refuse(settings.problem);
  const node = findNode();
  if (node === undefined) {
    return refuse(
      `coinfront needs Node.js ${NODE_MAJOR}; this is ${process.version}, and the one of its own was not installed with it (npm install --include=optional).`,
    );
  }
  const options = [];
  // Whoever names a place for what Node compiles is served by Node itself.
  if (process.env.NODE_COMPILE_CACHE === undefined)
    options.push('--import', join(here, '..', 'scripts', 'compile-cache.js'));
  if (settings.file !== undefined) options.push(`--env-file=${settings.file}`);
  become(node, [...options, join(here, `${file}.${ending}`), ...first, ...settings.args]);
}

/** Takes `--env <file>` out of the arguments, wherever it stands. */
function readSettings(args) {
  const at = args.findIndex((each) => each === '--env' || each.startsWith('--env='));
  if (at === -1) {
    return { args, file: usualFiles.find((file) => existsSync(file)) };
  }
  const isJoined = args[at].startsWith('--env=');
  const named = isJoined ? args[at].slice('--env='.length) : args[at + 1];
  if (!named) return { problem: '--env names a file with settings.' };
  const file = resolve(named);
  if (!existsSync(file)) return { problem: `There is no file ${file}: coinfront init writes one.` };
  return { file, args: args.filter((_, index) => index !== at && (isJoined || index !== at + 1)) };
}

/** This Node where it is new enough, or the one that was installed beside. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const { resolve: find } = createRequire(import.meta.url);
  for (const name of [`${prefix}-${process.platform}-${process.arch}`, 'node']) {
    try {
      const file = join(dirname(find(`${name}/package.json`)), 'bin', 'node');
      if (existsSync(file)) return file;
    } catch {
      // Not installed: the next one, or none.
    }
  }
  return undefined;
}

/** Becomes another program where the system and this Node can, so that signals reach it; else starts it and hands them on. */
function become(file, args) {
  const env = { NODE_ENV: 'production', ...LESS_MEMORY, ...process.env };
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.removeAllListeners('warning');
    process.execve(file, [file, ...args], env);
  }
  const child = spawn(file, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => refuse(`${file} does not start: ${error.message}`));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
  });
}

function refuse(reason) {
  console.error(reason);
  process.exitCode = 2;
}
