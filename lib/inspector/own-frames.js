'use strict';
// No debugger steps through the runtime in the isolates: its functions are not
// the user's, and V8 ends the process now and then when a session leaves while
// it steps from a job's end into them ("abort: Invalid bytecode", Node 20).

const { DebugMessageId } = require('../protocol/wire.gen.js');

const OWN = '^node:internal/sloppy-workers/';
const METHOD = 'Debugger.setBlackboxPatterns';
const ENABLE = 'Debugger.enable';
const DISABLE = 'Debugger.disable';
const READ = [METHOD, ENABLE, DISABLE];

/**
 * @returns {(text: string) => string[]} of a session: gives the messages to send
 *   to a worker in the place of its debugger's
 */
function hidingOwnFrames() {
  // The debugger's own, which an agent has until it is disabled.
  let patterns = [];
  const hide = () =>
    JSON.stringify({
      // The addon keeps the answer to itself (DebugSession).
      id: DebugMessageId.Own,
      method: METHOD,
      params: { patterns: [OWN, ...patterns] },
    });
  return (text) => {
    // Most are not parsed, because they are many.
    if (!READ.some((method) => text.includes(method))) return [text];
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      // V8 says what is wrong with it.
      return [text];
    }
    const { method, params } = message ?? {};
    if (method === DISABLE) patterns = [];
    if (method === ENABLE) return [text, hide()];
    if (method !== METHOD || !Array.isArray(params?.patterns)) return [text];
    patterns = params.patterns;
    const both = { ...params, patterns: [OWN, ...patterns] };
    return [JSON.stringify({ ...message, params: both })];
  };
}

module.exports = { hidingOwnFrames };
