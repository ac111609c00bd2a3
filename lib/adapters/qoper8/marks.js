'use strict';

// The `qoper8` property: the pool's mark on what it hands out, never on what it
// was given.

// What is queued is the message as it was, whatever its sender does to it next.
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
