'use strict';

const { EventEmitter } = require('node:events');

const { callListeners } = require('../../base/call-listener.js');
const { setTimeout } = require('./clock.js');
const { addClient, removeClient } = require('./data.js');
const { isLockHeld } = require('./moves.js');
const { Refusal, errorOf } = require('./refusals.js');
const { mayPass } = require('./store-error.js');
const { closedError } = require('./store.js');

const DEFAULT_PREFIX = 'bull';
const AGAIN_MS = 100;
const KEYS = ['', 'active', 'wait', 'waiting-children', 'paused', 'id'];
const MORE_KEYS = ['delayed', 'prioritized', 'stalled-check', 'completed'];
const LAST_KEYS = ['failed', 'stalled', 'repeat', 'limiter', 'meta', 'events'];
const NAMES = [...KEYS, ...MORE_KEYS, ...LAST_KEYS, 'pc', 'marker', 'de'];

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A backend's life and names, and how it calls an operation. */
class BackendBase extends EventEmitter {
  closing = undefined;
  minimumBlockTimeout = 0.001;
  /** A wait is ended by what it waits for, so it may be long. */
  maximumBlockTimeout = 3600;
  #store;
  #user;
  #ready;
  #client;

  /**
   * @param {Store} store
   * @param {{ name: string, opts: object, user?: object }} of `user` holds the
   *   store; without one another backend does
   */
  constructor(store, { name, opts, user }) {
    super();
    this.#store = store;
    this.#user = user;
    if (user !== undefined) {
      user.onError = (error) => callListeners(this, 'error', [error]);
    }
    this.name = name;
    this.opts = opts;
    this.prefix = opts.prefix ?? DEFAULT_PREFIX;
    this.qualifiedName = `${this.prefix}:${name}`;
    this.keys = Object.fromEntries(NAMES.map((key) => [key, this.toKey(key)]));
    // Private in BullMQ's backends too; loggers should not follow them.
    Object.defineProperty(this, 'opts', { enumerable: false });
  }

  get store() {
    return this.#store;
  }

  /** Takes a turn of the event loop, as a connection would. */
  waitUntilReady() {
    this.#ready ??= this.#store.read(() => {});
    return this.#ready;
  }

  async close() {
    if (this.#user === undefined) return undefined;
    this.closing ??= this.#closeOnce();
    return this.closing;
  }

  async #closeOnce() {
    this.interrupt();
    await this.#leave();
    await this.#store.release(this.#user);
    this.emit('close');
  }

  async #leave() {
    const cid = await this.#client;
    if (cid === undefined) return;
    await this.#store.write((tx) => removeClient(tx, { cid })).catch(() => {});
  }

  async disconnect() {
    this.interrupt();
  }

  /** Lists the process as a client under this name. */
  async setName(name) {
    if (this.closing) return;
    await this.#leave();
    const { pid } = process;
    this.#client = this.#store
      .write((tx) => addClient(tx, { name, pid }), { undone: true })
      .catch(() => undefined);
    await this.#client;
  }

  toKey(type) {
    return `${this.qualifiedName}:${type}`;
  }

  parseNodeKey(key) {
    const last = key.lastIndexOf(':');
    const before = key.lastIndexOf(':', last - 1);
    return {
      prefix: key.slice(0, Math.max(before, 0)),
      queueName: key.slice(before + 1, last),
      id: key.slice(last + 1),
    };
  }

  clientName(suffix = '') {
    return `${this.prefix}:${Buffer.from(this.name).toString('base64')}${suffix}`;
  }

  /** @returns {object} the queue's name and the time are added */
  #given(args) {
    return { queue: this.qualifiedName, now: Date.now(), ...args };
  }

  /**
   * @param {(tx: Transaction, args: object) => T} operation
   * @param {object} [args]
   * @returns {Promise<T>}
   */
  read(operation, args) {
    if (this.#isClosed) return Promise.reject(closedError());
    return this.#store.read((tx) => operation(tx, this.#given(args)));
  }

  /**
   * @param {(tx: Transaction, args: object) => T} operation
   * @param {object} args
   * @param {{ about?: object, late?: boolean, undone?: boolean }} [how] `about`:
   *   what BullMQ's error of a Refusal tells; for the others see GroupCommit
   * @returns {Promise<T>}
   */
  async write(operation, args, { about, ...kind } = {}) {
    if (this.#isClosed) throw closedError();
    try {
      const call = (tx) => operation(tx, this.#given(args));
      return await this.#store.write(call, kind);
    } catch (error) {
      throw error instanceof Refusal ? errorOf(error, about) : error;
    }
  }

  /**
   * Writes how a job ended, again and again while its lock holds: the work is
   * done, and a full disk may have room the next time.
   *
   * @param {Function} operation
   * @param {{ id: string, token: string }} args
   * @param {object} how @see write
   */
  async settle(operation, args, how) {
    for (let tries = 0; ; tries++) {
      try {
        return await this.write(operation, args, how);
      } catch (error) {
        if (!mayPass(error)) throw error;
        if (tries === 0) this.#user?.onError(error);
        await pause(AGAIN_MS);
        if (!(await this.#holdsLock(args))) throw error;
      }
    }
  }

  async #holdsLock({ id, token }) {
    try {
      return await this.read(isLockHeld, { id, token });
    } catch {
      return false;
    }
  }

  // A Worker that closes still writes how its last jobs ended, before it closes
  // this.
  get #isClosed() {
    return this.closing !== undefined;
  }
}

module.exports = { BackendBase };
