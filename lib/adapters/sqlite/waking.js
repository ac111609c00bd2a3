'use strict';

const fs = require('node:fs');

const { clearTimeout, setTimeout } = require('./clock.js');
const { timerMs } = require('../../base/timer-ms.js');

/** How often to look where the file system tells of writes. */
const NET_MS = 1000;
/** Commits in a row that no notification told of, until none is relied on. */
const MAX_MISSED = 3;
/**
 * The log's file changes a moment before its writer's commit can be seen, so it
 * is looked at again after these times.
 */
const LOOKS_MS = [0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 4, 4, 8, 16, 32, 64];

/**
 * Tells of other processes' commits: by notifications of the file system about
 * the log, and as a net by looking, because there may be none (a file share of
 * a virtual machine).
 */
class Waking {
  #log;
  #readVersion;
  #version;
  #pollMs;
  #onChange;
  #watcher = undefined;
  #tick = undefined;
  #look = undefined;
  #lookAt = 0;
  #isTold = false;
  #missed = 0;
  #isTrusted = false;

  /**
   * @param {{ file: string, pollMs: number, readVersion: () => number,
   *   onChange: () => void }} options `pollMs`: how often to look where nothing
   *   tells of writes; `readVersion` changes with writes of other connections
   */
  constructor({ file, pollMs, readVersion, onChange }) {
    this.#log = `${file}-wal`;
    this.#pollMs = pollMs;
    this.#readVersion = readVersion;
    this.#onChange = onChange;
  }

  start() {
    if (this.#tick !== undefined) return;
    this.#hasChanged();
    this.#watch();
    this.#poll();
  }

  stop() {
    clearTimeout(this.#tick);
    clearTimeout(this.#look);
    this.#watcher?.close();
    this.#tick = undefined;
    this.#look = undefined;
    this.#watcher = undefined;
  }

  #watch() {
    try {
      const options = { persistent: false };
      this.#watcher = fs.watch(this.#log, options, () => this.#told());
      this.#isTrusted = true;
      this.#watcher.on('error', () => this.#lose());
    } catch {
      // There is no log yet, or there are no notifications left: the net looks.
      this.#lose();
    }
  }

  #lose() {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#isTrusted = false;
  }

  #told() {
    this.#isTold = true;
    this.#missed = 0;
    if (this.#look !== undefined) {
      this.#lookAt = Math.min(this.#lookAt, 1);
      return;
    }
    this.#lookAt = 0;
    this.#lookAgain();
  }

  #lookAgain() {
    this.#look = undefined;
    if (this.#hasChanged()) this.#onChange();
    this.#lookAt += 1;
    if (this.#lookAt >= LOOKS_MS.length) return;
    this.#look = setTimeout(() => this.#lookAgain(), LOOKS_MS[this.#lookAt]);
    // The tick keeps the process alive while somebody waits.
    this.#look.unref();
  }

  #poll() {
    const pause = this.#isTrusted ? NET_MS : this.#pollMs;
    this.#tick = setTimeout(() => {
      if (this.#hasChanged()) {
        if (!this.#isTold) this.#miss();
        this.#onChange();
      }
      this.#isTold = false;
      this.#poll();
    }, timerMs(pause));
  }

  /** A notification may only be late, because the event loop was blocked. */
  #miss() {
    this.#missed += 1;
    if (this.#missed >= MAX_MISSED) this.#lose();
  }

  #hasChanged() {
    let version;
    try {
      version = this.#readVersion();
    } catch {
      // Ignored, because the next look may work, and readers and writers get
      // the error.
      return false;
    }
    if (version === this.#version) return false;
    this.#version = version;
    return true;
  }
}

module.exports = { Waking };
