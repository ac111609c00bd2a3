// A redis-server and a PostgreSQL on free ports of loopback, in temporary
// folders. They are ended by their process ids.

import { execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { which } from '../../../scripts/lib/paths.mjs';

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function answers(port) {
  for (let tries = 0; tries < 400; tries++) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('close', () => socket.destroy());
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await pause(25);
  }
  throw new Error(`nothing listens on port ${port}`);
}

const ended = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', resolve));

/** A server that can be killed and started again on the same data. */
class Server {
  /** @param {object} fields `command`, `args`, `port`, `folder`, and others */
  constructor(fields) {
    Object.assign(this, fields);
  }

  async start() {
    const options = { stdio: 'ignore', cwd: this.folder, ...this.ids };
    this.child = spawn(this.command, this.args, options);
    await answers(this.port);
    await this.isReady?.(this.port);
    return this;
  }

  async kill(signal = 'SIGKILL') {
    this.child.kill(signal);
    await ended(this.child);
  }

  async stop() {
    await this.kill(this.cleanSignal);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function startStore(command) {
  if (!command) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'engines-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  args.push('--appendonly', 'yes', '--appendfsync', 'always', '--save', '');
  args.push('--maxmemory-policy', 'noeviction');
  const server = new Server({
    command,
    args,
    port,
    folder,
    cleanSignal: 'SIGKILL',
  });
  return server.start();
}

/** @returns {Promise<Server | undefined>} undefined without the program */
export const startRedis = () => startStore(which('redis-server'));

/** Redis' fork. Debian has it from 13 on, and in the backports of 12. */
export const startValkey = () => startStore(which('valkey-server'));

function findPostgres() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  const folder = newest && join(root, newest, 'bin');
  const of = (name) =>
    which(name) ??
    (folder && existsSync(join(folder, name)) ? join(folder, name) : undefined);
  return { initdb: of('initdb'), postgres: of('postgres') };
}

/** PostgreSQL refuses to run as root: its package has made a user. */
function otherUser() {
  if (process.getuid?.() !== 0) return {};
  const id = (flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** It listens before it has recovered. */
async function acceptsQueries(port) {
  for (let tries = 0; tries < 400; tries++) {
    const options = { host: '127.0.0.1', port, user: 'postgres' };
    const client = new pg.Client({ ...options, database: 'postgres' });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await pause(50);
    }
  }
  throw new Error('PostgreSQL accepts no queries');
}

/** @returns {Promise<Server | undefined>} undefined without the programs */
export async function startPostgres() {
  const { initdb, postgres } = findPostgres();
  if (!initdb || !postgres) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'engines-postgres-'));
  const ids = otherUser();
  if (ids.uid !== undefined) chownSync(folder, ids.uid, ids.gid);
  const args = ['-D', folder, '-U', 'postgres', '--auth', 'trust', '--no-sync'];
  args.push('--encoding', 'UTF8', '--locale', 'C');
  execFileSync(initdb, args, { stdio: 'ignore', cwd: folder, ...ids });
  const port = await freePort();
  const server = new Server({
    command: postgres,
    args: ['-D', folder, '-p', String(port), '-h', '127.0.0.1', '-k', folder],
    port,
    folder,
    ids,
    cleanSignal: 'SIGINT',
    isReady: acceptsQueries,
  });
  return server.start();
}

/** A connection that can be cut: bytes are swallowed, nothing is closed. */
export async function swallowingProxy(target) {
  const state = { isCut: false };
  const sockets = new Set();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ]) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!state.isCut) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    cut() {
      state.isCut = true;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
