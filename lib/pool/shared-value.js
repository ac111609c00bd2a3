'use strict';

const { Shares } = require('../executors/shares.js');
const { guardMethods } = require('../base/guard-methods.js');
const { seal } = require('../base/primordials.js');

const MAX_NAME = 128;

function checkName(name) {
  if (typeof name === 'string' && name !== '' && name.length <= MAX_NAME)
    return;
  throw new TypeError(
    `WorkerPool.share requires a name of 1 to ${MAX_NAME} characters.`,
  );
}

function checkValue(operation, value) {
  if (value !== undefined) return;
  throw new TypeError(`${operation} requires a value; null is one.`);
}

let isSharedValue;

/** The handle that `WorkerPool.share` returns. Sealed. */
class SharedValue {
  #core;
  #name;
  // null when it was released.
  #version;

  constructor(core, name, version) {
    this.#core = core;
    this.#name = name;
    this.#version = version;
    seal(this);
  }

  get name() {
    return this.#name;
  }

  /** @returns {number} what it takes, encoded; 0 when it was released */
  get bytes() {
    return this.#version === null ? 0 : this.#version.bytes;
  }

  get released() {
    return this.#version === null;
  }

  /**
   * Shares another value instead, with jobs that are submitted from now on.
   * Those before see the one of then.
   *
   * @param {unknown} value as of WorkerPool.share
   * @returns {SharedValue} this
   * @throws {TypeError} it was released, or there is no value
   * @throws as WorkerPool.share
   */
  update(value) {
    checkValue('SharedValue.update', value);
    this.#core.admission.checkStopped();
    this.#checkHeld();
    const { shares } = this.#core.executor;
    this.#version = shares.set(this.#name, value, this.#version);
    return this;
  }

  #checkHeld() {
    if (this.#version !== null) return;
    throw new TypeError(
      `"${this.#name}" was released; share it again with WorkerPool.share.`,
    );
  }

  /**
   * Gives its memory back: here at once, in each worker when it is idle or its
   * next job reads what is shared. Jobs that have read it keep it, all others
   * find `undefined`. Does nothing the second time.
   */
  release() {
    if (this.#version === null) return;
    this.#version = null;
    this.#core.executor.shares.remove(this.#name);
  }

  static {
    isSharedValue = (value) =>
      typeof value === 'object' && value !== null && #core in value;
  }
}

guardMethods(SharedValue, {
  name: 'SharedValue',
  isHandle: isSharedValue,
  promised: [],
});
if (Symbol.dispose !== undefined) {
  Object.defineProperty(SharedValue.prototype, Symbol.dispose, {
    value() {
      this.release();
    },
  });
}

/**
 * See WorkerPool.share.
 *
 * @param {PoolCore} core
 * @param {string} name
 * @param {unknown} value
 * @returns {SharedValue}
 */
function shareValue(core, name, value) {
  checkName(name);
  checkValue('WorkerPool.share', value);
  core.admission.checkStopped();
  const executor = core.open();
  executor.shares ??= new Shares(executor);
  const { shares } = executor;
  if (shares.has(name)) {
    throw new TypeError(
      `WorkerPool.share: "${name}" is shared already; ` +
        'use update() of its handle, or release() it first.',
    );
  }
  return new SharedValue(core, name, shares.set(name, value));
}

module.exports = { shareValue };
