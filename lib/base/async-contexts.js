'use strict';

const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');

// No destroy hook, because these resources are discarded or shared.
const NO_HOOK = { requireManualDestroy: true };

// Node's symbols on a resource. A promise has an id only while async hooks are
// active, as AsyncLocalStorage needs on Node 20 and 22. From Node 24 on, all
// stores are one object, the frame.
const probe = new AsyncResource('SloppyProbe', NO_HOOK);
const keys = Object.getOwnPropertySymbols(probe);
const idKey = keys.find((key) => probe[key] === probe.asyncId());
const frameKey = keys.find((key) => key.description === 'context_frame');
const canShare =
  idKey !== undefined &&
  (frameKey !== undefined || 'kResourceStore' in new AsyncLocalStorage());

/**
 * The async contexts of a queue's waiting jobs or messages. Jobs of equal
 * contexts share one resource, because one for each would be half of a waiting
 * job's cost to the garbage collector, besides its promise.
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

  /** Releases the stores that the last context holds. */
  forget() {
    this.#last = null;
  }
}

module.exports = { Contexts };
