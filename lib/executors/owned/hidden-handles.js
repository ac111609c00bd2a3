'use strict';

/**
 * Called in a worker before the jobs' code: takes what belongs to the pool out
 * of the sight of tools that look for what keeps a process alive, and close it.
 *
 * @param {...object} handles ports or sockets
 */
function hideHandles(...handles) {
  const { _getActiveHandles: all } = process;
  if (typeof all !== 'function') return;
  const isHidden = (handle) => handles.includes(handle);
  Object.defineProperty(process, '_getActiveHandles', {
    configurable: true,
    writable: true,
    enumerable: true,
    value: () =>
      Reflect.apply(all, process, []).filter((handle) => !isHidden(handle)),
  });
}

module.exports = { hideHandles };
