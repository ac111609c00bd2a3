'use strict';

// The part of tapable that the resolver uses. tapable compiles each hook of
// each resolver from text, which takes a third of the first import's time.

class Hook {
  constructor(_args, name) {
    this.name = name;
    this.taps = [];
  }

  isUsed() {
    return this.taps.length > 0;
  }

  tapAsync(options, fn) {
    const stage = options.stage ?? 0;
    const after = this.taps.findIndex((tap) => tap.stage > stage);
    const at = after === -1 ? this.taps.length : after;
    this.taps.splice(at, 0, { stage, fn });
  }

  withOptions(options) {
    return Object.assign(Object.create(this), {
      tapAsync: (_name, fn) => this.tapAsync(options, fn),
    });
  }
}

/** Asks one after the other until one has an error or an answer. */
class AsyncSeriesBailHook extends Hook {
  callAsync(request, context, done) {
    const { taps } = this;
    function ask(at) {
      if (at === taps.length) {
        done();
        return;
      }
      taps[at].fn(request, context, (error, result) => {
        if (error) done(error);
        else if (result !== undefined) done(null, result);
        else ask(at + 1);
      });
    }
    ask(0);
  }
}

/** A hook without taps. */
class UntappedHook extends Hook {
  tapAsync() {
    throw new Error(`tapable: ${this.name} cannot be tapped here`);
  }

  call() {}

  callAsync(_result, _context, done) {
    done();
  }
}

module.exports = {
  AsyncSeriesBailHook,
  AsyncSeriesHook: UntappedHook,
  SyncHook: UntappedHook,
};
