'use strict';

const { randomUUID } = require('node:crypto');

const { hidingOwnFrames } = require('./own-frames.js');
const { DebugEventKind } = require('../protocol/wire.gen.js');

/** The workers of this process, and sessions with them. */
class DebuggedWorkers {
  #debug;
  #wait;
  #uuids = new Map();
  #sessions = new Map();
  #lastSession = 0;
  #program;
  #programSessions = 0;
  #pauses = 0;
  /** Sessions of debuggers that are attached to the root. */
  roots = new Set();
  /** Facts of the process that debuggers ask for. */
  facts = {
    processId: process.pid,
    nodeVersion: process.version,
    architecture: process.arch,
  };

  /**
   * @param {object} debug of the addon
   * @param {boolean} wait workers that start wait also while nobody is there
   * @param {Int32Array} [program] its element is 1 while a debugger has a
   *   session with the program's own threads; without it none has
   */
  constructor(debug, wait, program) {
    this.#debug = debug;
    this.#wait = wait;
    this.#program = program;
  }

  /** @returns {boolean} false if this process has an endpoint already */
  open() {
    return this.#debug.open((kind, id, text) => {
      if (kind === DebugEventKind.Made) this.#made(id);
      else if (kind === DebugEventKind.Gone) this.#gone(id);
      else this.#said(id, text);
    });
  }

  close() {
    this.#debug.close();
  }

  /** @returns {{ id: number, title: string, uuid: string }[]} */
  list() {
    const flat = this.#debug.targets();
    const workers = [];
    for (let i = 0; i < flat.length; i += 2) {
      const id = flat[i];
      if (!this.#uuids.has(id)) this.#uuids.set(id, randomUUID());
      workers.push({ id, title: flat[i + 1], uuid: this.#uuids.get(id) });
    }
    return workers;
  }

  /**
   * @param {number} id a worker's
   * @param {(text: string) => void} hear what V8 says there
   * @param {() => void} fail it says more than is read
   * @returns {{ send(text: string), close() } | undefined} undefined if it is gone
   */
  connect(id, hear, fail) {
    const session = ++this.#lastSession;
    if (!this.#debug.connect(id, session)) return undefined;
    this.#sessions.set(session, { hear, fail });
    const messagesOf = hidingOwnFrames();
    return {
      send: (text) => {
        for (const each of messagesOf(text)) {
          this.#debug.send(id, session, each);
        }
      },
      close: () => {
        if (!this.#sessions.delete(session)) return;
        this.#debug.disconnect(id, session);
      },
    };
  }

  /** @returns {boolean} workers that start wait for a debugger */
  doWait() {
    return this.#wait || [...this.roots].some((root) => root.waits);
  }

  waitIfTold() {
    this.#debug.wait(this.doWait());
  }

  /**
   * @param {{ made, gone }} report see ProgramThreads
   * @returns {ProgramThreads | undefined} undefined where they are not seen
   */
  programFor(report) {
    if (this.#program === undefined) return undefined;
    // Loaded by few.
    const { ProgramThreads } = require('./program-threads.js');
    const paused = (isPaused) => {
      this.#pauses += isPaused ? 1 : -1;
      this.#debug.hold(this.#pauses > 0);
    };
    const count = (by) => {
      this.#programSessions += by;
      const has = this.#programSessions > 0 ? 1 : 0;
      Atomics.store(this.#program, 0, has);
      Atomics.notify(this.#program, 0);
    };
    try {
      const threads = new ProgramThreads({
        ...report,
        paused,
        closed: () => count(-1),
      });
      count(1);
      return threads;
    } catch {
      // Node's permission model, for instance.
      return undefined;
    }
  }

  /** The process ends, or this thread. */
  leaveProgram() {
    for (const root of this.roots) root.leaveProgram();
  }

  #made(id) {
    const worker = this.list().find((each) => each.id === id);
    if (worker === undefined) return;
    for (const root of this.roots) root.made(worker);
  }

  #gone(id) {
    this.#uuids.delete(id);
    for (const root of this.roots) root.gone(id);
  }

  #said(session, text) {
    const found = this.#sessions.get(session);
    if (found === undefined) return;
    if (text !== '') found.hear(text);
    else found.fail();
  }
}

module.exports = { DebuggedWorkers };
