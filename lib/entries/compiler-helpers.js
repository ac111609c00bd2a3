'use strict';
// Compiled functions call helpers that are defined outside of them, and a sent
// function would lack these. The pure helpers are sent with it: esbuild's (tsx,
// Vite, tsup), of which __name is used with keepNames and the others with
// targets below ES2022; those of TypeScript's tslib; and Istanbul's counters,
// which count nothing in a worker.

const { isDigit, isLetter, isSmall, isWord, skip } = require('../base/scan.js');

const put = (result) => `(to, key, value) {
  Object.defineProperty(to, typeof key === 'symbol' ? key : String(key),
    { value, enumerable: true, configurable: true, writable: true });
  return ${result};
}`;
const rest = `(from, without) {
  const left = {};
  for (const key of Reflect.ownKeys(from ?? {}))
    if (!without.includes(key) && Object.prototype.propertyIsEnumerable.call(from, key))
      left[key] = from[key];
  return left;
}`;
const asyncOf = (parameters) => `(${parameters}) {
  return new Promise((resolve, reject) => {
    const steps = run.apply(self, args ?? []);
    const follow = (method, value) => {
      try {
        const step = steps[method](value);
        if (step.done) resolve(step.value);
        else Promise.resolve(step.value).then(
          (next) => follow('next', next), (error) => follow('throw', error));
      } catch (error) { reject(error); }
    };
    follow('next');
  });
}`;

const HELPERS = {
  __proto__: null,
  __name:
    "(f, value) { return Object.defineProperty(f, 'name', { value, configurable: true }); }",
  __publicField: put('value'),
  __defNormalProp: put('value'),
  __objRest: rest,
  __spreadValues: '(to, from) { return Object.assign(to, from); }',
  __spreadProps:
    '(to, from) { return Object.defineProperties(to, Object.getOwnPropertyDescriptors(from)); }',
  __pow: '(base, exponent) { return base ** exponent; }',
  __async: asyncOf('self, args, run'),
  __assign: '(to, ...from) { return Object.assign(to, ...from); }',
  __rest: rest,
  __awaiter: asyncOf('self, args, _Promise, run'),
  __spreadArray: '(to, from) { return to.concat(Array.from(from)); }',
};
// cov().s[0]++, cov().f[0]++, cov().b[0][1]++.
const countersOf = (name) => `() {
  const none = () => new Proxy({}, { get: () => ({}) });
  return ${name}.all ??= { s: {}, f: {}, b: none(), bT: none() };
}`;

const definitionOf = (name) =>
  name[0] === 'c' ? countersOf(name) : HELPERS[name];

const isOfCounter = (code) => isSmall(code) || isDigit(code);

// __name, or cov_ and a hash.
function isHelper(name) {
  const fits = name.startsWith('__') ? isLetter : isOfCounter;
  const start = fits === isLetter ? 2 : 4;
  if (fits === isOfCounter && !name.startsWith('cov_')) return false;
  return name.length > start && skip(name, start, fits) === name.length;
}

/** @returns {string} the word that ends at a position; '' for a member's name */
function wordBefore(source, end) {
  let start = end;
  while (start > 0 && isWord(source.charCodeAt(start - 1))) start -= 1;
  const before = source[start - 1];
  return before === '.' || before === '$' ? '' : source.slice(start, end);
}

/** @returns {Map} definitions of the helpers that the text calls, by name */
function helpersOf(source) {
  const found = new Map();
  // Hardly any text calls one.
  if (!source.includes('__') && !source.includes('cov_')) return found;
  let call = source.indexOf('(');
  for (; call >= 0; call = source.indexOf('(', call + 1)) {
    const name = wordBefore(source, call);
    const definition = isHelper(name) ? definitionOf(name) : undefined;
    if (definition !== undefined) found.set(name, definition);
  }
  return found;
}

const HEAD = '((() => { return ';

/** Whether the text is an output of withHelpers(). */
const hasHelpers = (text) => text.startsWith(HEAD);

/**
 * @param {string} source of a function
 * @returns {string | undefined} an expression in parentheses that evaluates to
 *   the function, with its helpers in scope; undefined if it calls none
 */
function withHelpers(source) {
  const helpers = helpersOf(source);
  if (helpers.size === 0) return undefined;
  let text = `${HEAD}${source}\n;`;
  helpers.forEach((definition, name) => {
    text += `\nfunction ${name}${definition}`;
  });
  return `${text} })())`;
}

module.exports = { hasHelpers, withHelpers };
