// A real server over a database of its own, with the demo pages.

import { execFileSync, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const binary = process.env.BINARY_UNDER_TEST ?? join(root, '.build/debug/hearth');

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** A new key: what the server has, what apps pin, and its id. */
export function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const ends = [privateKey.export({ format: 'der', type: 'pkcs8' }), publicKey.export({ format: 'der', type: 'spki' })];
  const [secret, raw] = ends.map((bytes) => bytes.subarray(-32));
  const id = createHash('sha256').update(raw).digest('hex').slice(0, 16);
  return { secret: secret.toString('base64'), pinned: raw.toString('base64'), id };
}

export class Hearth {
  static async start() {
    const hearth = new Hearth();
    hearth.folder = mkdtempSync(join(tmpdir(), 'hearth-client-'));
    hearth.files = ['--config', join(root, 'config'), '--database', join(hearth.folder, 'hearth.db')];
    const run = (...words) => execFileSync(binary, [...words, ...hearth.files], { encoding: 'utf8' });
    run('demo');
    hearth.token = run('token', 'create', '--name', 'test', '--role', 'admin').trim();
    hearth.ports = [await freePort(), await freePort()];
    hearth.public = `http://127.0.0.1:${hearth.ports[0]}`;
    await hearth.serve();
    return hearth;
  }

  async serve() {
    const [listen, admin] = this.ports.map((port) => `127.0.0.1:${port}`);
    const words = ['serve', ...this.files, '--listen', listen, '--admin-listen', admin];
    this.process = spawn(binary, words, { stdio: 'ignore' });
    this.ended = once(this.process, 'exit');
    for (;;) {
      try {
        if ((await fetch(`${this.public}/readyz`)).ok) return;
      } catch { /* It does not listen yet. */ }
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  async stop() {
    await this.kill();
    rmSync(this.folder, { recursive: true });
  }

  async api(method, path, body) {
    const response = await fetch(`http://127.0.0.1:${this.ports[1]}/admin/v1/pages/home${path}`, {
      method, headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json', 'If-Match': '*' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text && JSON.parse(text);
  }
}
