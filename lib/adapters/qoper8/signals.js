'use strict';

const TEXTS = {
  SIGINT: () => '*** CTRL & C detected: shutting down gracefully...',
  SIGTERM: () =>
    `*** Master Process ${process.pid} detected SIGTERM signal.  ` +
    'Shutting down gracefully...',
};

const instances = new Set();

/** Stops an instance on SIGINT and SIGTERM; all share one listener each. */
function watchSignals(instance) {
  if (instances.size === 0) {
    for (const signal of Object.keys(TEXTS)) process.on(signal, onSignal);
  }
  instances.add(instance);
}

function unwatchSignals(instance) {
  if (!instances.delete(instance) || instances.size > 0) return;
  for (const signal of Object.keys(TEXTS)) process.off(signal, onSignal);
}

function onSignal(signal) {
  for (const instance of instances) {
    instance.log(TEXTS[signal]());
    instance.stop();
  }
}

module.exports = { unwatchSignals, watchSignals };
