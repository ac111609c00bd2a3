'use strict';

// What `process`, timers and what makes modules answer to odd arguments.

const { answersAsInNode } = require('./as-in-node-support.js');

answersAsInNode({
  'a warning is told of in the next tick': async () => {
    const process = (await import('node:process')).default;
    const log = [];
    const note = ({ message }) => log.push(message);
    process.on('warning', note);
    process.emitWarning('a text');
    process.emitWarning(new Error('an error'));
    process.nextTick(() => log.push('tick'));
    log.push('returned');
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('warning', note);
    return log;
  },
  'exit codes and times are checked': async () => {
    const process = (await import('node:process')).default;
    const odd = [null, undefined, '3', 5, '', 'x', 5.5, {}, Number.NaN, true];
    const tell = (work) => {
      try {
        return [work()];
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    };
    const codes = [...odd, '0x10', 2 ** 40, -1].map((code) =>
      tell(() => {
        process.exitCode = code;
        return process.exitCode;
      }),
    );
    process.exitCode = undefined;
    const times = [[1], [1, 2, 3], 5, 'x'].map((time) =>
      tell(() => process.hrtime(time)),
    );
    return [codes, times];
  },
  'an immediate that is done holds nothing': async () => {
    const log = [];
    const cleared = setImmediate(() => {});
    clearImmediate(cleared);
    log.push(cleared.hasRef(), cleared.ref().hasRef());
    await new Promise((resolve) => {
      const running = setImmediate(() => {
        log.push(running.hasRef(), running.ref().hasRef());
        resolve();
      });
      log.push(running.hasRef(), running.unref().hasRef());
      log.push(running.ref().hasRef());
    });
    return log;
  },
  'createRequire and vm refuse what they cannot take': async () => {
    const { createRequire } = (await import('node:module')).default;
    const vm = (await import('node:vm')).default;
    return [
      ...['x', 5, {}, undefined, new URL('http://x/')].map(
        (from) => () => createRequire(from),
      ),
      ...['x', undefined, null].map((object) => () => vm.isContext(object)),
      () => vm.isContext({}),
      () => new vm.Script('1', { filename: 5 }),
      () => Object.keys(new vm.Script('1')),
      () => new vm.Script('1\n//# sourceMappingURL=a.map').sourceMapURL,
    ].map((work) => {
      try {
        return work();
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    });
  },
});
