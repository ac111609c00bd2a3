'use strict';
// Flags that are options of the library: what they are called, may be and mean
// stands in lib/options/options.json.

const { Option } = require('commander');

const { usageError } = require('./exit.js');
const { FLAGS } = require('./flags.gen.js');
const { amountOf, choice, count, duration } = require('./values.js');

/** Parses a value of a row, as a person writes it. */
function parserOf({ is, least, most, unit, values }) {
  if (is === 'choice') return choice(values);
  if (is === 'time' || unit === 'ms') return duration;
  if (unit === 'MiB') return amountOf('mb', { least, most });
  if (unit === 'bytes') return amountOf('b', { least, most });
  return count;
}

const rowsOf = (command) =>
  FLAGS.filter(({ flags }) => flags[command] !== undefined).map((row) => ({
    ...row,
    flag: new Option(row.flags[command], row.flagAbout),
  }));

/** @returns {string | undefined} what the help says of a row's default */
function defaultText({ default: value, unit }) {
  if (value === undefined || value === Infinity) return undefined;
  return unit === 'MiB' ? `${value}mb` : String(value);
}

/**
 * Adds the flags that a command has in the table.
 *
 * @param {import('commander').Command} command
 * @param {Record<string, string>} [defaults] what the help says instead of the
 *   table's default, by the option's name
 */
function addTableFlags(command, defaults = {}) {
  for (const { flag, ...row } of rowsOf(command.name())) {
    const text = defaults[row.option] ?? defaultText(row);
    if (text !== undefined) flag.description += `, default ${text}`;
    command.addOption(flag.argParser(parserOf(row)));
  }
  return command;
}

/**
 * The options of the library among those that a command was given.
 *
 * @param {string} command its name
 * @param {Record<string, unknown>} given by commander
 * @returns {{ pool: object, call: object }} what the pool takes, and each call
 * @throws {CliError} about one that threads do not have
 */
function tableOptions(command, given) {
  const found = { pool: {}, call: {} };
  for (const { flag, option, taker, threads } of rowsOf(command)) {
    const value = given[flag.attributeName()];
    if (value === undefined) continue;
    const isOfNode = given.runtime !== undefined && given.runtime !== 'isolate';
    if (threads !== undefined && isOfNode) {
      throw usageError(`${flag.long} needs isolates`, 'leave out --runtime');
    }
    found[taker][option] = value;
  }
  return found;
}

module.exports = { addTableFlags, tableOptions };
