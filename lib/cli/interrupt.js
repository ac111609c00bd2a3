'use strict';

const { Exit } = require('./exit.js');

const EXITS = { SIGINT: Exit.Interrupted, SIGTERM: Exit.Terminated };

/**
 * Lets a command stop by itself at the first Ctrl-C or SIGTERM. The second
 * one ends the process.
 *
 * @returns {{ signal: AbortSignal, exit: number | undefined, end(): void }}
 *   `exit` is the exit code once it was told to stop; `end` stops listening
 */
function onStop() {
  const controller = new AbortController();
  const listener = (name) => {
    if (stop.exit !== undefined) process.exit(EXITS[name]);
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
