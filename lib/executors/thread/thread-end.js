'use strict';

const { Code, DIAGNOSTICS } = require('../../protocol/diagnostics.gen.js');
const { OUT_OF_MEMORY, outOfMemory } = require('./heap-limit.js');
const { Start } = require('./reports.js');
const { Detail } = require('../../protocol/wire.gen.js');

const idOf = (code) => DIAGNOSTICS[code].id;

/**
 * Why the job of a thread that has ended, or those that waited for its start,
 * cannot be done.
 *
 * @param {number} code of its exit
 * @param {unknown} thrown by it
 * @param {Int32Array} flags see PoolThread
 * @param {object} start
 * @param {boolean} start.isLate it was ended because it took too long
 * @param {boolean} start.hasInit
 * @returns {{ status: number, detail: number, value: unknown }}
 */
function endOf(code, thrown, flags, { isLate, hasInit }) {
  const cause = Atomics.load(flags, 1) === 1 ? outOfMemory() : thrown;
  const isOverLimit = cause?.code === OUT_OF_MEMORY;
  const isInStart = Atomics.load(flags, 2) >= Start.Runs || isLate;
  if (isInStart || isOverLimit) {
    // As src/runtime/lifecycle.js has it.
    const isModule = isOverLimit && !hasInit;
    const isStart = isInStart && !isModule;
    return {
      status: idOf(isStart ? Code.StartupFailed : Code.ResourceLimit),
      detail: isOverLimit ? Detail.MemoryLimit : Detail.InitEnded,
      value: undefined,
    };
  }
  const { name, message, stack } =
    cause ?? new Error(`process.exit(${code}) was called in a worker`);
  const value = { type: 'Error', name, message, stack };
  return { status: idOf(Code.Crashed), detail: Detail.None, value };
}

module.exports = { endOf };
