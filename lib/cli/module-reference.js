'use strict';

const { existsSync } = require('node:fs');
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const { CliError, Exit, usageError } = require('./exit.js');

const looksLikePath = (text) => /^\.{0,2}[/\\]|^[a-z]:[/\\]/i.test(text);

const moduleMissing = (path) =>
  new CliError('SLOPPY_CLI_MODULE', `there is no module ${path}`, {
    exit: Exit.Environment,
    hint: 'the path counts from the working directory',
  });

/**
 * Reads `<module>#<export>`. A file counts from the working directory; what
 * is no file is an npm package or a built-in that isolates have.
 *
 * @param {string} text without `#`, the export is `default`
 * @returns {{ url: string, name: string }} what an isolate can import
 * @throws {CliError}
 */
function readModuleReference(text) {
  const at = text.lastIndexOf('#');
  const path = at < 0 ? text : text.slice(0, at);
  const name = at < 0 ? 'default' : text.slice(at + 1);
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

module.exports = { readModuleReference };
