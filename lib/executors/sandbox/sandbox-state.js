'use strict';

const { Detail } = require('../../protocol/wire.gen.js');
const { Code, DIAGNOSTICS } = require('../../protocol/diagnostics.gen.js');
const { errorOf } = require('../../errors/job-error.js');

/** The layers that hold in the processes of a pool, as the last one has said. */
class SandboxState {
  /** @type {object | undefined} from `readHello` */
  #held;
  #waiting = [];

  greeted(hello) {
    this.#held = hello;
    for (const { resolve } of this.#waiting.splice(0)) resolve(hello);
  }

  /** @param {object} described why a process cannot be one of a sandbox */
  failed(described) {
    this.#held = undefined;
    const { id } = DIAGNOSTICS[Code.FeatureUnavailable];
    this.given(errorOf(id, Detail.SandboxUnavailable, described));
  }

  /** @param {object} described how a process has ended, which another may not */
  crashed(described) {
    const { id } = DIAGNOSTICS[Code.Crashed];
    this.given(errorOf(id, Detail.None, described));
  }

  /** No process comes. @param {Error} error why */
  given(error) {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  get isKnown() {
    return this.#held !== undefined;
  }

  /** @returns {Promise<object>} what the next process says, or the last one */
  held() {
    if (this.#held !== undefined) return Promise.resolve(this.#held);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }
}

module.exports = { SandboxState };
