'use strict';

const { performance } = require('node:perf_hooks');

const { Exit } = require('./exit.js');

// npx passes on the Ctrl-C that the terminal has already sent to all processes.
const SAME_PRESS_MS = 500;

const EXITS = {
  SIGINT: Exit.Interrupted,
  SIGTERM: Exit.Terminated,
  // Ctrl-Break, and no signal elsewhere.
  ...(process.platform === 'win32' && { SIGBREAK: Exit.Interrupted }),
};

/**
 * Lets a command stop by itself at the first Ctrl-C, SIGTERM or, on Windows,
 * Ctrl-Break. A second one, half a second later or more, ends the process.
 *
 * @returns {{ signal: AbortSignal, exit: number | undefined, end(): void }}
 *   `exit` is the exit code once a stop was requested; `end` removes the
 *   listeners
 */
function onStop() {
  const controller = new AbortController();
  let firstAt = 0;
  const listener = (name) => {
    const now = performance.now();
    if (stop.exit !== undefined) {
      if (now - firstAt > SAME_PRESS_MS) process.exit(EXITS[name]);
      return;
    }
    firstAt = now;
    stop.exit = EXITS[name];
    controller.abort();
  };
  const stop = {
    signal: controller.signal,
    exit: undefined,
    end() {
      for (const name of Object.keys(EXITS)) process.off(name, listener);
    },
  };
  for (const name of Object.keys(EXITS)) process.on(name, listener);
  return stop;
}

module.exports = { onStop };
