'use strict';

const { existsSync } = require('node:fs');
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const { CliError, Exit, usageError } = require('./exit.js');

const looksLikePath = (text) => /^\.{0,2}[/\\]|^[a-z]:[/\\]/i.test(text);

const moduleMissing = (path) =>
  new CliError('SLOPPY_CLI_MODULE', `there is no module ${path}`, {
    exit: Exit.Environment,
    hint: 'a path counts from the working directory, where a package has to be installed',
  });

function splitReference(text) {
  const at = text.lastIndexOf('#');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Reads `<module>#<export>`. A path is relative to the working directory. A
 * name that is no file is an npm package or a built-in of isolates.
 *
 * @param {string} text without `#`, the export is `default`
 * @returns {{ url: string, name: string }} for an isolate to import
 * @throws {CliError}
 */
function readModuleReference(text) {
  const [path, name = 'default'] = splitReference(text);
  if (path === '' || name === '') {
    throw usageError(
      'a function is named <module>#<export>',
      'for example ./tasks.mjs#resize, or ./tasks.mjs for the default export',
    );
  }
  const file = resolve(path);
  if (existsSync(file)) return { url: pathToFileURL(file).href, name };
  if (looksLikePath(path)) throw moduleMissing(path);
  return { url: path, name };
}

/**
 * @param {object} answer of an isolate that looked for the function
 * @param {string} text the reference
 * @throws {CliError} the module or the function does not exist
 */
function checkFound({ isMissing, exports }, text) {
  const [path, name = 'default'] = splitReference(text);
  if (isMissing) throw moduleMissing(path);
  if (exports === undefined) return;
  const known = exports.length > 0 ? exports.join(', ') : 'none';
  throw new CliError(
    'SLOPPY_CLI_MODULE',
    `${path} has no exported function "${name}"`,
    { hint: `its functions: ${known}` },
  );
}

module.exports = { checkFound, readModuleReference };
