'use strict';
// The common part of doctor and audit: rows about a plan, as text or JSON.

const { Option } = require('commander');

const { Exit, usageError } = require('./exit.js');
const { print } = require('./terminal.js');

const FORMATS = ['text', 'json'];

function printRows({ title, key, line, none }, rows, options) {
  if (options.json || options.format === 'json') {
    return print(`${JSON.stringify({ [key]: rows }, null, 2)}\n`);
  }
  const lines = rows.length > 0 ? rows.map(line) : [none];
  return print(`${title}\n\n${lines.join('\n')}\n`);
}

/**
 * Adds a command that prints rows and ends with 1 if one of them is an error.
 *
 * @param {Command} program
 * @param {(exitCode: number) => void} end
 * @param {object} report `name`, `summary` and `examples` of the command;
 *   `rowsOf(path)`, with the plan's path if there is one; how they are printed:
 *   `title`, `line(row)` and `none`, or under `key` in JSON; `level`, the field
 *   of a row that may be `error`
 */
function addReportCommand(program, end, report) {
  program
    .command(report.name)
    .summary(report.summary)
    .description(
      `${report.summary[0].toUpperCase()}${report.summary.slice(1)}.`,
    )
    .argument('[plan]', "a plan's JSON file, - for stdin")
    .option('--plan <file>', 'the same as the argument')
    .addOption(new Option('--format <format>', 'how to print').choices(FORMATS))
    .option('--json', 'the same as --format json')
    .addHelpText('after', report.examples)
    .action(async (argument, options) => {
      if (argument !== undefined && options.plan !== undefined) {
        throw usageError('the plan is named twice');
      }
      const rows = await report.rowsOf(argument ?? options.plan);
      await printRows(report, rows, options);
      const failed = rows.some((row) => row[report.level] === 'error');
      end(failed ? Exit.JobFailed : Exit.Done);
    });
}

module.exports = { addReportCommand };
