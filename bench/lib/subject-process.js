'use strict';

const { fork } = require('node:child_process');
const { join } = require('node:path');

// Far beyond the longest round: some pools never answer a stop.
const PATIENCE_MS = 60_000;
const childFile = join(__dirname, 'child.js');

/** The parent's end of child.js. Every answer is awaited before the next. */
class SubjectProcess {
  #child;
  #waiting = null;

  /** @returns {Promise<SubjectProcess>} resolves once it is set up */
  static async start(file, name, { quick, execPath, env }) {
    const subject = new SubjectProcess();
    subject.#child = fork(childFile, [file, name, quick ? 'quick' : 'full'], {
      execPath,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    subject.#child.on('message', (message) => subject.#settle(message));
    subject.#child.on('exit', (code, signal) =>
      subject.#settle({ error: `ended with ${signal ?? code}` }),
    );
    await subject.#answer();
    return subject;
  }

  #settle(message) {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (message.error === undefined) waiting?.resolve(message);
    else waiting?.reject(new Error(message.error));
  }

  #answer() {
    const answered = new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
    const timer = setTimeout(() => {
      this.#settle({ error: `no answer in ${PATIENCE_MS / 1000} s` });
      this.#child.kill('SIGKILL');
    }, PATIENCE_MS);
    return answered.finally(() => clearTimeout(timer));
  }

  /** @returns {Promise<Record<string, number>>} one value for each line */
  async round() {
    const answer = this.#answer();
    this.#child.send('round');
    return (await answer).lines;
  }

  async close() {
    if (this.#child.exitCode !== null || this.#child.killed) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.connected) this.#child.send('close');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await gone;
    clearTimeout(timer);
  }
}

module.exports = { SubjectProcess };
