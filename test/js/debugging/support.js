'use strict';
// A client of the Chrome DevTools Protocol, and programs to debug.

const { spawn } = require('node:child_process');
const { randomUUID } = require('node:crypto');
const { once } = require('node:events');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const WebSocket = require('ws');

const { liveCounts } = require('../../../lib/addon/load.js');

const FIXTURES = path.join(__dirname, 'fixtures');
const LISTENING = /ws:\/\/\S+/;
const AT_END = 'Waiting for the debugger to disconnect';

const MOST_SAID = 60;
// The last that all sessions have sent and heard.
const said = [];

// Events that come by the hundred, and one that carries others.
const OFTEN = ['Debugger.scriptParsed', 'NodeWorker.receivedMessageFromWorker'];

function remember(arrow, { id = '', method = '', error }) {
  if (OFTEN.includes(method)) return;
  said.push(`${arrow} ${id} ${method} ${error?.message ?? ''}`.trimEnd());
  if (said.length > MOST_SAID) said.shift();
}

/** One session of the protocol over whatever carries its texts. */
class Session {
  #send;
  #last = 0;
  #asked = new Map();
  #events = [];
  #waiting = [];
  #listeners = [];

  constructor(send) {
    this.#send = send;
  }

  /** Calls `listener(params)` for each event of that name. */
  on(method, listener) {
    this.#listeners.push({ method, listener });
  }

  receive(message) {
    remember('<', message);
    if (message.id !== undefined) {
      this.#asked.get(message.id)?.(message);
      this.#asked.delete(message.id);
      return;
    }
    for (const { method, listener } of this.#listeners) {
      if (method === message.method) listener(message.params);
    }
    const at = this.#waiting.findIndex(
      ({ method }) => method === message.method,
    );
    if (at < 0) this.#events.push(message);
    else this.#waiting.splice(at, 1)[0].resolve(message.params);
  }

  /** @returns {Promise<object>} the result @throws for the protocol's error */
  async post(method, params = {}) {
    const id = ++this.#last;
    const answer = new Promise((resolve) => this.#asked.set(id, resolve));
    remember('>', { id, method });
    this.#send({ id, method, params });
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** @returns {Promise<object>} of the next event of that name, or the first
   *   one that nobody has waited for */
  next(method) {
    const at = this.#events.findIndex((event) => event.method === method);
    if (at >= 0) return Promise.resolve(this.#events.splice(at, 1)[0].params);
    return new Promise((resolve) => this.#waiting.push({ method, resolve }));
  }
}

/** @returns {Promise<Session & { close() }>} over a WebSocket */
async function connect(url) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const session = new Session((message) =>
    socket.send(JSON.stringify(message)),
  );
  let hearAs = () => {};
  session.sendAs = (sessionId, message) =>
    socket.send(JSON.stringify({ ...message, sessionId }));
  session.hearAs = (listener) => {
    hearAs = listener;
  };
  socket.on('message', (data) => {
    const message = JSON.parse(data);
    if (message.sessionId === undefined) session.receive(message);
    else hearAs(message.sessionId, message);
  });
  session.close = () => socket.terminate();
  return session;
}

/** @returns {boolean} the session is with a thread of the program's own */
const isOfProgram = (sessionId) => /^(?:main-)?thread/.test(sessionId);
const isOther = (sessionId) => !isOfProgram(sessionId);

/**
 * The sessions of workers inside of one, by the domain of Node and VS Code: of
 * those whose sessions `isWanted`, by default isolates.
 */
function workersOf(root, attached, isWanted = isOther) {
  const sessions = new Map();
  root.on('NodeWorker.attachedToWorker', ({ sessionId, workerInfo }) => {
    if (!isWanted(sessionId)) return;
    const session = new Session((message) =>
      root.post('NodeWorker.sendMessageToWorker', {
        sessionId,
        message: JSON.stringify(message),
      }),
    );
    sessions.set(sessionId, session);
    attached(session, workerInfo);
  });
  root.on('NodeWorker.receivedMessageFromWorker', ({ sessionId, message }) => {
    sessions.get(sessionId)?.receive(JSON.parse(message));
  });
}

/** The same by the domain of Chrome. */
function targetsOf(root, attached, isWanted = isOther) {
  const sessions = new Map();
  root.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (!isWanted(sessionId)) return;
    const session = new Session((message) => root.sendAs(sessionId, message));
    sessions.set(sessionId, session);
    attached(session, targetInfo);
  });
  root.hearAs((sessionId, message) =>
    sessions.get(sessionId)?.receive(message),
  );
}

/**
 * Pools whose workers are told from others in Jest's process, which other files
 * of tests have left there.
 *
 * @returns {{ name: string, isOwn(info: { title: string }): boolean }} a name
 *   for them, and whether a worker is of such a pool
 */
function ownPools() {
  const name = `debugged ${randomUUID()}`;
  return { name, isOwn: ({ title }) => title.startsWith(`${name}, `) };
}

/** `find` for workers of such pools; others are let go. */
const ownOf = (find, isOwn) => (root, attached) =>
  find(root, (worker, info) => {
    if (isOwn(info)) attached(worker, info);
    else worker.post('Runtime.runIfWaitingForDebugger');
  });

/** A program of the fixtures: `{ url, isAtEnd, ended, explain(), kill() }`. */
function debugged(name, args, flags, { env } = {}) {
  const file = path.join(FIXTURES, name);
  const child = spawn(process.execPath, [...flags, file, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const texts = { out: '', err: '' };
  const url = new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => {
      texts.err += data;
      const found = LISTENING.exec(texts.err);
      if (found !== null) resolve(found[0]);
    });
    child.once('exit', () => reject(new Error(`no endpoint: ${texts.err}`)));
  });
  url.catch(() => {});
  child.stdout.on('data', (data) => {
    texts.out += data;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, ...texts }));
  /** Node waits at its end for those who debug it. */
  const isAtEnd = new Promise((resolve) => {
    child.stderr.on('data', () => {
      if (texts.err.includes(AT_END)) resolve();
    });
  });
  /** Tells where a test stands that has waited in vain for the program's end. */
  const explain = () => {
    if (child.exitCode === null) console.error(texts, said.join('\n'));
  };
  const kill = () => child.kill('SIGKILL');
  return { child, url, isAtEnd, ended, explain, kill };
}

/** @returns {{ url: string, line: number }} of a comment in a fixture, from 0 */
function placeOf(name, comment) {
  const file = path.join(FIXTURES, name);
  const lines = readFileSync(file, 'utf8').split('\n');
  const line = lines.findIndex((text) => text.endsWith(`// ${comment}`));
  return { url: pathToFileURL(file).href, line };
}

/**
 * @param {object} before `liveCounts()` of then. Pools that other files of tests
 *   have left may go meanwhile, so fewer are no fault.
 * @returns {string[]} what there is more of now
 */
function grownSince(before) {
  const now = liveCounts();
  return Object.keys(now).filter((kind) => now[kind] > before[kind]);
}

module.exports = {
  connect,
  debugged,
  grownSince,
  isOfProgram,
  ownOf,
  ownPools,
  placeOf,
  targetsOf,
  workersOf,
};
