'use strict';

const { drawTable, tableCells } = require('./console-table.js');

const MAX_GROUP = 1000;
const { apply } = Reflect;
const replaceAll = Function.prototype.call.bind(String.prototype.replaceAll);
const TABLE_OPTIONS = {
  maxArrayLength: 3,
  breakLength: Number.POSITIVE_INFINITY,
};

function durationText(ms) {
  if (ms >= 3_600_000) {
    const minutes = Math.floor((ms % 3_600_000) / 60_000);
    const seconds = Math.floor((ms % 60_000) / 1000);
    const hours = Math.floor(ms / 3_600_000);
    const two = (value) => `${value}`.padStart(2, '0');
    return `${hours}:${two(minutes)}:${two(seconds)} (h:mm:ss)`;
  }
  if (ms >= 60_000) {
    const minutes = Math.floor(ms / 60_000);
    const rest = ((ms % 60_000) / 1000).toFixed(3);
    return `${minutes}:${rest.padStart(6, '0')} (m:ss.mmm)`;
  }
  if (ms >= 1000) return `${(ms / 1000).toFixed(3)}s`;
  return `${Number(ms.toFixed(3))}ms`;
}

/**
 * The Console class of this isolate.
 *
 * @param {object} inspect the exports of the `inspect` bundle
 * @param {() => number} nowMs monotonic
 */
function createConsoleClass(inspect, nowMs) {
  const { formatWithOptions, getStringWidth, types } = inspect;

  return class Console {
    #out;
    #err;
    #indent = '';
    #step;
    #options;
    #counts = new Map();
    #timers = new Map();

    /**
     * @param {{ out: (text: string) => void, err: (text: string) => void,
     *   inspectOptions?: object, groupIndentation?: number }} parts
     */
    constructor({ out, err, inspectOptions = {}, groupIndentation = 2 }) {
      this.#out = out;
      this.#err = err;
      this.#options = inspectOptions;
      this.#step = ' '.repeat(Math.min(groupIndentation, MAX_GROUP));
    }

    #print(write, args) {
      this.#line(write, this.#format(args));
    }

    // No spread: it asks for an iterator that user code may have replaced.
    #format(args) {
      const all = [this.#options];
      for (let at = 0; at < args.length; at += 1) all[at + 1] = args[at];
      return apply(formatWithOptions, undefined, all);
    }

    #line(write, text) {
      const indented = this.#indent
        ? this.#indent + replaceAll(text, '\n', `\n${this.#indent}`)
        : text;
      write(`${indented}\n`);
    }

    #warning(text) {
      require('node:process').emitWarning(text);
    }

    log(...args) {
      this.#print(this.#out, args);
    }

    debug(...args) {
      this.#print(this.#out, args);
    }

    info(...args) {
      this.#print(this.#out, args);
    }

    dirxml(...args) {
      this.#print(this.#out, args);
    }

    error(...args) {
      this.#print(this.#err, args);
    }

    warn(...args) {
      this.#print(this.#err, args);
    }

    dir(value = undefined, options = undefined) {
      const all = { customInspect: false, ...this.#options, ...options };
      this.#line(this.#out, inspect.inspect(value, all));
    }

    trace(...args) {
      const text = this.#format(args);
      const holder = {};
      Error.captureStackTrace(holder, this.trace);
      const lines = `${holder.stack}`.split('\n').slice(1);
      const head = text === '' ? 'Trace' : `Trace: ${text}`;
      this.#line(this.#err, [head, ...lines].join('\n'));
    }

    assert(condition = undefined, ...args) {
      if (condition) return;
      if (typeof args[0] === 'string') {
        args[0] = `Assertion failed: ${args[0]}`;
        this.warn(...args);
      } else {
        this.warn('Assertion failed', ...args);
      }
    }

    clear() {}

    count(label = 'default') {
      const name = `${label}`;
      const next = (this.#counts.get(name) ?? 0) + 1;
      this.#counts.set(name, next);
      this.log(`${name}: ${next}`);
    }

    countReset(label = 'default') {
      const name = `${label}`;
      if (!this.#counts.delete(name)) {
        this.#warning(`Count for '${name}' does not exist`);
      }
    }

    group(...args) {
      if (args.length > 0) this.log(...args);
      this.#indent += this.#step;
    }

    groupCollapsed(...args) {
      this.group(...args);
    }

    groupEnd() {
      const length = this.#indent.length - this.#step.length;
      this.#indent = this.#indent.slice(0, Math.max(length, 0));
    }

    time(label = 'default') {
      const name = `${label}`;
      if (this.#timers.has(name)) {
        this.#warning(`Label '${name}' already exists for console.time()`);
        return;
      }
      this.#timers.set(name, nowMs());
    }

    timeLog(label = 'default', ...args) {
      this.#elapsed(`${label}`, args, 'timeLog');
    }

    timeEnd(label = 'default') {
      const name = `${label}`;
      if (this.#elapsed(name, [], 'timeEnd')) this.#timers.delete(name);
    }

    #elapsed(name, args, method) {
      const start = this.#timers.get(name);
      if (start === undefined) {
        this.#warning(`No such label '${name}' for console.${method}()`);
        return false;
      }
      this.log('%s: %s', name, durationText(nowMs() - start), ...args);
      return true;
    }

    timeStamp() {}

    profile() {}

    profileEnd() {}

    table(data = undefined, columns = undefined) {
      if (columns !== undefined && !Array.isArray(columns)) {
        const error = new TypeError(
          'The "properties" argument must be an instance of Array.',
        );
        error.code = 'ERR_INVALID_ARG_TYPE';
        throw error;
      }
      const cells = tableCells(data, columns, {
        format: (value) => this.#cell(value),
        previewEntries: inspect.previewEntries,
        types,
      });
      if (cells === undefined) {
        this.log(data);
        return;
      }
      const text = drawTable(cells.head, cells.rows, getStringWidth);
      this.#line(this.#out, text);
    }

    #cell(value) {
      const deep =
        value !== null &&
        typeof value === 'object' &&
        !Array.isArray(value) &&
        Object.keys(value).length > 2;
      return inspect.inspect(value, {
        ...this.#options,
        ...TABLE_OPTIONS,
        depth: deep ? -1 : 0,
      });
    }
  };
}

/** Every method of the class bound to `instance`, usable on its own. */
function bindMethods(instance, prototype) {
  // A namespace inherits from an object of its own.
  const bound = Object.create({});
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name === 'constructor') continue;
    bound[name] = prototype[name].bind(instance);
    Object.defineProperty(bound[name], 'name', { value: name });
  }
  return bound;
}

module.exports = { bindMethods, createConsoleClass };
