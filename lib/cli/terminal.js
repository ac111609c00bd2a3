'use strict';
// Output for a terminal: colours and the error report.

const util = require('node:util');

const { CliError, Exit, exitCodeOf } = require('./exit.js');

/** https://no-color.org: any value that is not empty switches colours off. */
function wantsColour(stream) {
  if (process.env.NO_COLOR) return false;
  const forced = process.env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && process.env.TERM !== 'dumb';
}

/** Text in a style of util.styleText, plain where colours are not wanted. */
function styled(stream, style, text) {
  // Node 20 has styleText from 20.12 on.
  if (!wantsColour(stream) || !util.styleText) return text;
  return util.styleText(style, text, { validateStream: false });
}

// Matches our frames, which follow the user's.
const OUR_FRAMES = /\n\s+at (async )?(callExport|callBatch) [\s\S]*$/;

const isPlain = (value) => typeof value !== 'object' || value === null;

/** The error that the user's code threw, if this one only reports it. */
function describeCause(cause) {
  if (cause === undefined) return undefined;
  if (isPlain(cause)) return { message: String(cause) };
  const { name, message, stack, code } = cause;
  if (typeof message !== 'string') return { message: util.inspect(cause) };
  return { name, code, message, stack: stack?.replace(OUR_FRAMES, '') };
}

/** An error as `--json` shows it. */
function describeError(error) {
  const isOurs = error instanceof CliError && error.exit !== Exit.JobFailed;
  const message = String(error.message).replace(`${error.code}: `, '');
  return {
    code: error.code ?? 'SLOPPY_CLI_INTERNAL',
    message,
    hint: error.hint,
    // Errors of ours name their cause in the message.
    cause: isOurs ? undefined : describeCause(error.cause),
  };
}

const indented = (text) => text.replaceAll('\n', '\n  ');

function errorText({ code, message, hint, cause }, stream) {
  const lines = [`${styled(stream, 'red', 'error')} ${code}: ${message}`];
  if (cause) {
    const text = cause.stack ?? cause.message;
    lines.push(`  cause: ${indented(text)}`);
  }
  if (hint) lines.push(`  ${styled(stream, 'cyan', 'hint')}: ${hint}`);
  return `${lines.join('\n')}\n`;
}

/**
 * Reports an error on stderr, with `json` as one line of JSON.
 *
 * @returns {number} the exit code
 */
function reportError(error, { json = false } = {}) {
  const { stderr } = process;
  const description = describeError(error);
  stderr.write(
    json
      ? `${JSON.stringify({ error: description })}\n`
      : errorText(description, stderr),
  );
  return exitCodeOf(error);
}

/** Writes to stdout; resolves when the text has been taken. */
function print(text) {
  return new Promise((resolve) => process.stdout.write(text, resolve));
}

module.exports = { describeError, print, reportError, styled, wantsColour };
