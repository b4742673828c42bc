import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../scripts/free-ports.ts';
import { findDebianProgram } from '../../test/harness/debian-program.ts';

/** nginx as a cache in front of a service, on loopback. */
export type CachingProxy = { readonly origin: string; readonly pid: number; stop(): Promise<void> };

/** Starts nginx with one worker. It keeps answers as docs/operate/nginx.conf has it: for as long as the service's headers say. */
export async function startCachingProxy(upstream: string): Promise<CachingProxy> {
  const nginx = findDebianProgram('nginx', 'nginx', '/usr/sbin/nginx');
  const dir = mkdtempSync(join(tmpdir(), 'coinfront-nginx-'));
  mkdirSync(join(dir, 'cache'));
  const port = await findFreePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir}/${name};`)
    .join(' ');
  writeFileSync(
    join(dir, 'nginx.conf'),
    `daemon off; ${process.getuid?.() === 0 ? 'user root; ' : ''}pid ${dir}/pid; error_log ${dir}/error.log; worker_processes 1;
events { worker_connections 2048; }
http {
  access_log off; ${temporary}
  proxy_cache_path ${dir}/cache levels=1:2 keys_zone=answers:16m max_size=256m use_temp_path=off;
  upstream service { server ${new URL(upstream).host}; keepalive 64; }
  server {
    listen 127.0.0.1:${port}; keepalive_requests 1000000;
    location / {
      proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
      proxy_cache answers; proxy_cache_key $host$request_uri; proxy_cache_revalidate on;
    }
  }
}
`,
  );
  const child: ChildProcess = spawn(nginx, ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'inherit' });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  const origin = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(origin).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
    await delay(20);
  }
  return {
    origin,
    pid: child.pid!,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
