'use strict';

const { freeze, includes } = require('../base/primordials.js');

// Names that `await`, JSON.stringify and string conversion call on any object.
// Exports with such names need `invoke`.
const NO_TASKS = ['then', 'toJSON', 'toString', 'valueOf'];

/**
 * @param {object} pool with `invoke`
 * @returns {object} `tasks.parse(payload, options)` is
 *   `pool.invoke('parse', payload, options)`
 */
function tasksOf(pool) {
  return new Proxy(freeze({ __proto__: null }), {
    get: (_target, name) =>
      typeof name !== 'string' || includes(NO_TASKS, name)
        ? undefined
        : (payload, options) => pool.invoke(name, payload, options),
  });
}

module.exports = { tasksOf };
