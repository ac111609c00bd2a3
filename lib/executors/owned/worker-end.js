'use strict';

const { Code, DIAGNOSTICS } = require('../../protocol/diagnostics.gen.js');
const { Start } = require('./reports.js');
const { Detail } = require('../../protocol/wire.gen.js');

const idOf = (code) => DIAGNOSTICS[code].id;

/**
 * Why the job of a worker that has ended, or those that waited for its start,
 * cannot be done.
 *
 * @param {object} end from the worker's line
 * @param {number} end.state one of Start
 * @param {boolean} end.isOverLimit its heap had reached the limit
 * @param {object} end.value the cause of a crash, as src/runtime/errors.js
 *   describes errors
 * @param {object} start
 * @param {boolean} start.isLate it was ended because it took too long
 * @param {boolean} start.hasInit
 * @returns {{ status: number, detail: number, value: unknown }}
 */
function endOf({ state, isOverLimit, value }, { isLate, hasInit }) {
  const isInStart = state >= Start.Runs || isLate;
  if (isInStart || isOverLimit) {
    // The rule is that of src/runtime/lifecycle.js.
    const isModule = isOverLimit && !hasInit;
    const isStart = isInStart && !isModule;
    return {
      status: idOf(isStart ? Code.StartupFailed : Code.ResourceLimit),
      detail: isOverLimit ? Detail.MemoryLimit : Detail.InitEnded,
      value: undefined,
    };
  }
  return { status: idOf(Code.Crashed), detail: Detail.None, value };
}

module.exports = { endOf };
