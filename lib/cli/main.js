'use strict';

const { CommanderError } = require('commander');

const { withDefaults } = require('./bare-options.js');
const { Exit, fileError, usageError } = require('./exit.js');
const { joinDeadLetter } = require('./map.js');
const { createProgram } = require('./program.js');
const { reportError } = require('./terminal.js');

/**
 * The reader of our output may have gone; the rest of the output is then
 * dropped.
 */
function watchOutput(json) {
  process.stdout.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(Exit.Done);
    process.exit(reportError(fileError('write', 'stdout', error), { json }));
  });
  process.stderr.on('error', () => {});
}

const asksForJson = (args) =>
  args.some(
    (arg, at) =>
      arg === '--json' ||
      arg === '--format=json' ||
      (arg === 'json' && args[at - 1] === '--format'),
  );

function usageOf(error, program, args) {
  const message = error.message.replace(/^error: /, '');
  const command = program.commands.find((known) => known.name() === args[0]);
  const name = command ? `${program.name()} ${args[0]}` : program.name();
  return usageError(message, `see ${name} --help`);
}

/**
 * @param {string[]} args without node and script
 * @returns {Promise<number>} the exit code; never rejects
 */
async function main(args) {
  const json = asksForJson(args);
  watchOutput(json);
  let exitCode = Exit.Done;
  const program = createProgram((code) => {
    exitCode = code;
  });
  if (args.length === 0) {
    program.outputHelp();
    return Exit.Usage;
  }
  try {
    await program.parseAsync(withDefaults(joinDeadLetter(args)), {
      from: 'user',
    });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportError(error, { json });
    // Help and version end by an exception too.
    if (error.exitCode === 0) return Exit.Done;
    return reportError(usageOf(error, program, args), { json });
  }
}

module.exports = { main };
