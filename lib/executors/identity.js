'use strict';

const { pid } = process;
const { freeze } = Object;

/**
 * A worker, as events and its jobs see it.
 *
 * @param {number} number its own, from 1, among all that its pool has had
 * @param {number} place from 1, as low as the living workers of the pool leave
 *   it
 * @param {number} threadId
 * @param {number} [ofProcess] the process's id, if it is not this one
 */
const identityOf = (number, place, threadId, ofProcess = pid) =>
  freeze({ number, place, threadId, pid: ofProcess });

module.exports = { identityOf };
