'use strict';

const { performance } = require('node:perf_hooks');

const { WorkerPool } = require('../pool/worker-pool.js');
const { addCodeCacheOption, codeCacheOf } = require('./code-cache.js');
const { addCoverageOption, coverIfAsked } = require('./coverage.js');
const { Exit, usageError } = require('./exit.js');
const { addInspectOptions, openForDebuggers } = require('./inspect.js');
const { onStop } = require('./interrupt.js');
const { callExport } = require('./isolate-call.js');
const { checkFound, readModuleReference } = require('./module-reference.js');
const { readText } = require('./streams.js');
const { addTableFlags, tableOptions } = require('./table-flags.js');
const { print } = require('./terminal.js');
const { losesDigits } = require('./lost-digits.js');

const EXAMPLES = `
The function gets the input and returns the result, or a promise of it. It
runs in a bare V8 isolate: npm packages and most of Node's modules that do no
I/O can be imported, files and sockets cannot. What it prints goes to stderr.

Examples:
  $ sloppy-workers run ./tasks.mjs#resize --input '{"width":80}'
  $ sloppy-workers run ./tasks.ts --input @big.json --timeout 5s --memory 512
  $ echo '[3,1,2]' | sloppy-workers run ./tasks.mjs#sort --input -
  $ sloppy-workers run ./tasks.mjs#shout --text hello --raw
  $ sloppy-workers run node:path#dirname --text /a/b.txt
  $ sloppy-workers run ./tasks.mjs --coverage && npx c8 report

Exit codes: 0 done, 1 the function threw or hit a limit, 2 wrong use, 3 a file
or the addon is missing, 130 Ctrl-C.
`;

async function readInput(source) {
  if (source === '-') return readText(source);
  return source.startsWith('@') ? readText(source.slice(1)) : source;
}

const withoutMark = (json) => json.replace(/^\uFEFF/, '');

/** @returns {Promise<string | null>} the argument as JSON */
async function argumentOf(options) {
  if (options.text !== undefined && options.input !== undefined) {
    throw usageError('--input and --text exclude each other');
  }
  if (options.text !== undefined) return JSON.stringify(options.text);
  if (options.input === undefined) return null;
  const json = withoutMark(await readInput(options.input));
  try {
    JSON.parse(json);
  } catch {
    // The message of JSON.parse is dropped, because it quotes the input.
    throw usageError(
      'the input is not JSON',
      'quote a string twice, as in --input \'"text"\', or use --text',
    );
  }
  if (losesDigits(json)) {
    throw usageError(
      'the input has an integer of more than 53 bits, which would lose digits',
      'write it as a text, in quotes',
    );
  }
  return json;
}

async function run(reference, options) {
  const { url, name } = readModuleReference(reference);
  const json = await argumentOf(options);
  const limits = tableOptions('run', options);
  const stop = onStop();
  let inspector;
  let pool;
  try {
    coverIfAsked(options);
    inspector = await openForDebuggers(options);
    pool = WorkerPool.create('run', {
      ...limits.pool,
      codeCache: codeCacheOf(options),
    });
    const started = performance.now();
    const answer = await pool.run(callExport, {
      input: { url, name, text: json },
      ...limits.call,
      signal: stop.signal,
    });
    checkFound(answer, reference);
    const elapsedMs = Math.round((performance.now() - started) * 1000) / 1000;
    if (options.json) {
      await print(`{"result":${answer.text},"elapsedMs":${elapsedMs}}\n`);
    } else {
      const plain = options.raw ? answer.value : undefined;
      await print(`${plain ?? answer.text}\n`);
    }
    return Exit.Done;
  } catch (error) {
    if (stop.exit !== undefined) return stop.exit;
    throw error;
  } finally {
    stop.end();
    await pool?.stop({ drain: false, timeoutMs: 0 });
    await inspector?.close();
  }
}

function addRunCommand(program, end) {
  const command = program
    .command('run')
    .summary('call one function in an isolate')
    .description('Call one exported function in an isolate, print its result.')
    .argument('<module#export>', 'a file or package; default export: default')
    .option('-i, --input <json>', 'its argument: JSON, @file, or - for stdin')
    .option('--text <string>', 'its argument: this string')
    .option('--raw', 'print a string without quotes')
    .option('--json', 'print { result, elapsedMs }, errors as JSON too');
  addTableFlags(command);
  addCoverageOption(addInspectOptions(addCodeCacheOption(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (reference, options) => end(await run(reference, options)));
}

module.exports = { addRunCommand };
