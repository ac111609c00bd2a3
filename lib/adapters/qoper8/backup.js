'use strict';

const { errorText } = require('./error-text.js');

const FAILED = {
  add: 'Error executing QBackup add method',
  delete: 'Error running QBackup delete function',
};

/**
 * Calls the user's QBackup hooks. They are not awaited; their errors are logged
 * only. With `required` hooks, an error of `add` refuses the message.
 */
class Backup {
  #hooks;
  #events;
  #log;

  constructor(hooks, events, log) {
    this.#hooks = hooks;
    this.#events = events;
    this.#log = log;
  }

  get isRequired() {
    return this.#hooks?.required === true;
  }

  /** @returns {{ error: unknown } | undefined} the reason for the refusal */
  add(id, request) {
    if (this.#hooks === undefined && !this.#events.any) return;
    const requestObject = { ...request };
    this.#events.tell('QBackupAdd', { id, requestObject });
    return this.#call('add', id, requestObject);
  }

  delete(id) {
    if (this.#hooks === undefined && !this.#events.any) return;
    this.#events.tell('QBackupDelete', id);
    this.#call('delete', id);
  }

  #call(name, ...args) {
    if (typeof this.#hooks?.[name] !== 'function') return undefined;
    const report = (err) => {
      this.#log(FAILED[name]);
      this.#log(errorText(err));
    };
    try {
      const result = this.#hooks[name](...args);
      if (typeof result?.then === 'function') result.then(undefined, report);
    } catch (error) {
      report(error);
      return { error };
    }
    return undefined;
  }
}

module.exports = { Backup };
