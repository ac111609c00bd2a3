'use strict';
// The signals of a world's calls: ours, Node's, and foreign objects whose
// members run the world's code.

const { getEventListeners } = require('node:events');

const { controllers } = require('./load.js');

const REASONS = ['stop it', undefined, 'timeout', new Error('a reason')];

/** A signal, who cancels it, and how many listeners it has. */
class Source {
  isCancelled = false;
  /** It has thrown when it was read: it counts as cancelled, or says nothing. */
  isUnreadable = false;
  /** It tells its listeners. */
  reports = true;
  reason = undefined;

  constructor(world, kind) {
    this.world = world;
    this.kind = kind;
    if (kind === 'ours') {
      this.controller = new controllers.WorkerCancellationController();
      this.signal = this.controller.signal;
    } else if (kind === 'node') {
      this.controller = new AbortController();
      this.signal = this.controller.signal;
    } else {
      this.reports = kind === 'foreign';
      this.signal = foreignSignal(this);
    }
  }

  /** Listeners that it has now; 0 where that cannot be seen. */
  get listeners() {
    if (this.kind === 'node') {
      return getEventListeners(this.signal, 'abort').length;
    }
    return this.held?.size ?? 0;
  }

  get isTimeout() {
    return this.reason === 'timeout';
  }

  cancel() {
    if (this.isCancelled) return;
    const reason = this.world.random.of(REASONS);
    this.isCancelled = true;
    this.reason = reason;
    if (this.kind === 'ours') this.controller.cancel(reason);
    else if (this.kind === 'node') this.controller.abort(reason);
    else if (this.reports) for (const each of [...this.held]) each();
  }
}

function foreignSignal(source) {
  const { world } = source;
  const enter = (point) => {
    try {
      world.foreign(point, true);
    } catch (error) {
      source.isUnreadable = true;
      throw error;
    }
  };
  source.held = new Set();
  const signal = {
    get aborted() {
      enter('signal.aborted');
      return source.isCancelled;
    },
    get reason() {
      enter('signal.reason');
      return source.reason;
    },
  };
  if (!source.reports) return signal;
  signal.addEventListener = (_type, listener) => {
    world.foreign('addEventListener', true);
    source.held.add(listener);
  };
  signal.removeEventListener = (_type, listener) => {
    source.held.delete(listener);
    world.foreign('removeEventListener', true);
  };
  return signal;
}

module.exports = { Source };
