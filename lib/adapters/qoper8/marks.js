'use strict';

// The `qoper8` property: the pool's mark on its copies and answers, never on
// the caller's objects.

// Copies the message, because its sender may change it after the call.
function snapshot(message) {
  if (!Object.hasOwn(message, 'qoper8')) return { ...message };
  return unmarked(message);
}

function unmarked(value) {
  const { qoper8, ...reply } = Object(value);
  return reply;
}

function marked(answer) {
  if (answer.qoper8 === undefined) {
    answer.qoper8 = { finished: true };
    return answer;
  }
  answer.qoper8 = { ...answer.qoper8, finished: true };
  return answer;
}

module.exports = { marked, snapshot, unmarked };
