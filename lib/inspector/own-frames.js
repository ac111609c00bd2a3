'use strict';
// No debugger steps through the runtime in the isolates: its functions are not
// the user's, and V8 ends the process now and then when a session leaves while
// it steps from a job's end into them ("abort: Invalid bytecode", Node 20).

const OWN = '^sloppy:';
// The addon keeps the answer to itself (DebugSession).
const UNANSWERED = 2147483647;
const METHOD = 'Debugger.setBlackboxPatterns';
const ENABLE = 'Debugger.enable';

const hide = JSON.stringify({
  id: UNANSWERED,
  method: METHOD,
  params: { patterns: [OWN] },
});

/**
 * @param {string} text a debugger's message for a worker
 * @returns {string[]} the messages to send in its place
 */
function hideOwnFrames(text) {
  // Most are not read, because they are many.
  const isPatterns = text.includes(METHOD);
  if (!isPatterns && !text.includes(ENABLE)) return [text];
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    // V8 says what is wrong with it.
    return [text];
  }
  if (message?.method === ENABLE) return [text, hide];
  const patterns = message?.params?.patterns;
  if (message?.method !== METHOD || !Array.isArray(patterns)) return [text];
  const params = { ...message.params, patterns: [OWN, ...patterns] };
  return [JSON.stringify({ ...message, params })];
}

module.exports = { hideOwnFrames };
