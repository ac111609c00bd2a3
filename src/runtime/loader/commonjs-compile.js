'use strict';

const { apply } = require('./builtins.js');
const WRAPPER = require('./commonjs-wrapper.js');

// biome-ignore lint/security/noGlobalEval: an indirect eval is a script.
const evaluate = globalThis.eval;

/**
 * `module._compile`: runs a text as the CommonJS of a module. By eval, so that
 * `allowEval: false` holds for it.
 *
 * @param {object} paths see paths.js
 * @param {object} texts see texts.js
 * @param {(module: object) => Function} makeRequire
 */
function createCompile(paths, texts, makeRequire) {
  return function compile(module, text, path) {
    const name = texts.replaceAll(
      texts.replaceAll(`${path}`, '\n', ''),
      '\r',
      '',
    );
    const whole = `${text}`;
    // A first line for the shell is none of the language, and keeps its number.
    const body = texts.startsWith(whole, '#!') ? `//${whole}` : whole;
    const run = evaluate(
      `${WRAPPER[0]}${body}${WRAPPER[1]}//# sourceURL=${name}`,
    );
    const { exports } = module;
    const folder = paths.dirname(name);
    const require = makeRequire(module);
    return apply(run, exports, [exports, require, module, name, folder]);
  };
}

module.exports = { createCompile };
