'use strict';
// Each layer refuses its part of what native code could try (test/sandbox).

const { constants } = require('node:os');
const { describeAttempts, useAttempts } = require('./support.js');

useAttempts();
const { LAYERS } = require('../../../../lib/base/sandbox-layers.js');
const { RawChild } = require('../../../sandbox/raw-child.js');

// An errno that no kernel gives.
const BY_FILTER = 217;
const { EACCES, EMFILE, ENETUNREACH, ENOENT, ENOSYS, EPERM, ESRCH } =
  constants.errno;
// The kernel has said no to the process, and not to the arguments. 0: a call of
// the C library's, which has looked at the limits itself.
const REFUSALS = [
  ...[0, BY_FILTER, EACCES, EMFILE, ENETUNREACH],
  ...[ENOENT, ENOSYS, EPERM, ESRCH],
].map(String);
const EXECUTABLE = 'executable memory';

const ALL = 63;
const bit = (name) => 1 << LAYERS.indexOf(name);

/** @returns {Promise<{ open: string[], names: string[] }>} */
async function attemptAll(layers, jit) {
  const child = new RawChild({ layers, jit, refusal: BY_FILTER });
  try {
    await child.start();
    const answers = await child.run(() => {
      const found = {};
      for (const name of attempt('list').split('\n')) {
        found[name] = attempt(name);
      }
      return found;
    });
    const names = Object.keys(answers);
    const open = names.filter((name) => !REFUSALS.includes(answers[name]));
    return { open, names };
  } finally {
    await child.kill();
  }
}

describeAttempts('system calls', () => {
  test('all layers, without compiled code: each is refused', async () => {
    const { open, names } = await attemptAll(ALL, false);
    expect(open).toEqual([]);
    expect(names).toHaveLength(process.arch === 'x64' ? 83 : 81);
  });

  test('with compiled code memory may become executable, no more', async () => {
    const { open } = await attemptAll(ALL, true);
    expect(open).toEqual([EXECUTABLE]);
  });

  test('the filter alone refuses as much', async () => {
    const { open } = await attemptAll(bit('seccomp'), true);
    expect(open).toEqual([EXECUTABLE]);
  });

  test('without a layer most succeed, or nothing would be proved', async () => {
    const { open } = await attemptAll(0, true);
    expect(open.length).toBeGreaterThan(40);
  });

  test.each(['landlock', 'limits'])('%s refuses some', async (name) => {
    const without = await attemptAll(0, true);
    const { open } = await attemptAll(bit(name), true);
    expect(open.length).toBeLessThan(without.open.length);
  });

  test('the layers that hold are told', async () => {
    const child = new RawChild({ layers: bit('seccomp') | bit('limits') });
    const { layers } = await child.start();
    await child.kill();
    expect(Object.keys(layers).filter((name) => layers[name])).toEqual([
      'limits',
      'seccomp',
    ]);
  });
});
