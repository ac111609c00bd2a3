'use strict';

const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');

// A resource that is thrown away, or shared, is not worth a destroy hook.
const NO_HOOK = { requireManualDestroy: true };

// Where Node keeps a resource's parts. A promise has an id only while somebody
// has hooks, which on Node 20 and 22 is how AsyncLocalStorage works; from 24 on
// all stores are one object, the frame.
const probe = new AsyncResource('SloppyProbe', NO_HOOK);
const keys = Object.getOwnPropertySymbols(probe);
const idKey = keys.find((key) => probe[key] === probe.asyncId());
const frameKey = keys.find((key) => key.description === 'context_frame');
const canShare =
  idKey !== undefined &&
  (frameKey !== undefined || 'kResourceStore' in new AsyncLocalStorage());

/**
 * The async contexts of a queue's waiting jobs or messages. One for all that
 * cannot tell the difference: a resource each would be half of what a waiting
 * job costs the garbage collector beyond its promise.
 */
class Contexts {
  #type;
  #last = null;

  /** @param {string} type of the resources, as async hooks see it */
  constructor(type) {
    this.#type = type;
  }

  /**
   * @param {Promise<unknown>} promise made in the context to keep
   * @returns {AsyncResource} to run a job in, later
   */
  keep(promise) {
    if (!canShare || promise[idKey] !== undefined)
      return new AsyncResource(this.#type);
    if (frameKey === undefined) {
      this.#last ??= new AsyncResource(this.#type, NO_HOOK);
    } else {
      const now = new AsyncResource(this.#type, NO_HOOK);
      const isNew =
        this.#last === null || this.#last[frameKey] !== now[frameKey];
      if (isNew) this.#last = now;
    }
    return this.#last;
  }

  /** Lets go of the stores that the last context holds. */
  forget() {
    this.#last = null;
  }
}

module.exports = { Contexts };
