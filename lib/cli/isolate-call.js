'use strict';
// Runs in an isolate. It is sent as source text, so it contains all helpers.

/**
 * Calls an export with one value. Its prints go to stderr, because stdout is
 * for results.
 *
 * @param {{ input: { url: string, name: string, text: string | null } }}
 *   context `text` is the argument as JSON
 * @returns {Promise<{ text?: string, value?: string, exports?: string[],
 *   isMissing?: boolean }>} the result as JSON, and unchanged if it is a
 *   string; or the names of the exported functions, if this one does not exist;
 *   or that the module is missing
 */
async function callExport(context) {
  const { url, name, text } = context.input;
  const { Console } = console;
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  let namespace;
  try {
    namespace = await import(url);
  } catch (error) {
    // The missing module may be one that this one imports.
    const isMissing =
      error?.code === 'ERR_MODULE_NOT_FOUND' &&
      error.message.includes('imported from a function');
    if (isMissing) return { isMissing };
    throw error;
  }
  const fn = namespace[name];
  if (typeof fn !== 'function') {
    const isFunction = (key) => typeof namespace[key] === 'function';
    return { exports: Object.keys(namespace).filter(isFunction) };
  }
  const input = text === null ? null : JSON.parse(text);
  const whole = { ...context, input };
  // Serves --inspect-brk (src/worker/debugging.cc).
  globalThis[Symbol.for('sloppy-workers.pauseAtCall')]?.();
  const result = await fn(input, whole);
  const json = JSON.stringify(result) ?? 'null';
  return typeof result === 'string'
    ? { text: json, value: result }
    : { text: json };
}

module.exports = { callExport };
