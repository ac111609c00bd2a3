'use strict';

const { CommanderError } = require('commander');

const { Exit, usageError } = require('./exit.js');
const { joinDeadLetter } = require('./map.js');
const { createProgram } = require('./program.js');
const { reportError } = require('./terminal.js');

/** Who reads our output may go: what is left to say has no listener then. */
function leaveWithReader() {
  process.stdout.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(Exit.Done);
    throw error;
  });
  process.stderr.on('error', () => {});
}

function usageOf(error) {
  const message = error.message.replace(/^error: /, '');
  return usageError(message);
}

/**
 * @param {string[]} args without node and script
 * @returns {Promise<number>} the exit code; never rejects
 */
async function main(args) {
  leaveWithReader();
  const json = args.includes('--json');
  let exitCode = Exit.Done;
  const program = createProgram((code) => {
    exitCode = code;
  });
  if (args.length === 0) {
    program.outputHelp();
    return Exit.Usage;
  }
  try {
    await program.parseAsync(joinDeadLetter(args), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportError(error, { json });
    // Help and version end by an exception too.
    if (error.exitCode === 0) return Exit.Done;
    return reportError(usageOf(error), { json });
  }
}

module.exports = { main };
