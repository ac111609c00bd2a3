'use strict';

const { styled } = require('../terminal.js');
const { openSink } = require('./sinks.js');

const SHOWN = 5;

/** The entry of a failed record, with enough to find it and to retry it. */
const deadLetter = ({ index, text, error, attempts }) =>
  JSON.stringify({
    record: index + 1,
    error: { code: error.code, name: error.name, message: error.message },
    attempts,
    text,
  });

/** `TypeError: x is undefined`, of one line. */
const brief = ({ name, message }) =>
  `${name}: ${String(message).split('\n', 1)[0]}`;

/** Records that failed without stopping the run. */
class Failures {
  #sink;
  #isQuiet;
  #shown = 0;

  constructor(sink, isQuiet) {
    this.#sink = sink;
    this.#isQuiet = isQuiet;
  }

  /**
   * @param {{ mode: string, path?: string }} onError
   * @param {object} sinks options of `openSink`
   * @param {{ json: boolean, quiet: boolean }} settings
   */
  static async open({ path }, sinks, { json, quiet }) {
    const isQuiet = Boolean(json || quiet);
    if (path === undefined) return new Failures(null, isQuiet);
    return new Failures(await openSink(path, sinks), isQuiet);
  }

  get length() {
    return this.#sink?.length;
  }

  async add(failures) {
    if (failures.length === 0) return;
    if (!this.#isQuiet) this.#show(failures);
    if (this.#sink === null) return;
    await this.#sink.write(`${failures.map(deadLetter).join('\n')}\n`);
  }

  #show(failures) {
    const { stderr } = process;
    for (const { index, error } of failures) {
      if (this.#shown === SHOWN) return;
      this.#shown += 1;
      const label = styled(stderr, 'yellow', `record ${index + 1}`);
      const more =
        this.#shown === SHOWN ? '\n(no more of these are shown)' : '';
      stderr.write(`${label} failed: ${brief(error)}${more}\n`);
    }
  }

  async sync() {
    await this.#sink?.sync();
  }

  async close() {
    await this.#sink?.close();
  }
}

module.exports = { Failures, brief };
