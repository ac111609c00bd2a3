'use strict';

const os = require('node:os');
const { resolve } = require('node:path');

const { InvalidArgumentError, Option } = require('commander');

const { addCodeCacheOption, codeCacheOf } = require('./code-cache.js');
const { addCoverageOption, coverIfAsked } = require('./coverage.js');
const { CliError, Exit, usageError } = require('./exit.js');
const { addInspectOptions, openForDebuggers } = require('./inspect.js');
const { onStop } = require('./interrupt.js');
const { brief } = require('./map/failures.js');
const {
  FORMATS,
  delimiterOf,
  inputFormat,
  outputFormat,
} = require('./map/formats.js');
const { MapJob } = require('./map/job.js');
const { perSecond } = require('./map/progress.js');
const { readModuleReference } = require('./module-reference.js');
const { standardStream } = require('./streams.js');
const { addTableFlags, tableOptions } = require('./table-flags.js');
const { print } = require('./terminal.js');
const { bytes, count, countOrNone, duration, port } = require('./values.js');

const EXAMPLES = `
The function gets each record and returns its result, or a promise of it; a
result that is undefined is left out. Records travel in batches, and one that
fails does so alone. Results keep the order of the input.

Examples:
  $ sloppy-workers map ./tasks.mjs#score people.ndjson --output scored.ndjson
  $ sloppy-workers map ./tasks.mjs#clean people.csv --output people.json
  $ zcat log.gz | sloppy-workers map ./tasks.mjs#parse --format lines | head
  $ sloppy-workers map ./tasks.mjs#score big.ndjson -o out.ndjson \\
      --checkpoint big.checkpoint --on-error dead-letter bad.ndjson
    (after Ctrl-C or a crash, the same command goes on where it was)

Formats: ndjson (.ndjson, .jsonl), json (one array), csv (.csv, .tsv; records
are objects by the header), lines (.txt, .log).

Exit codes: 0 done, 1 a record failed and --on-error is stop, 2 wrong use, 3 a
file or the addon is in the way, 4 the checkpoint does not fit, 130 Ctrl-C.
`;

const DEFAULT_MAX_RECORD = 16 * 2 ** 20;
const LARGEST_MAX_RECORD = 256 * 2 ** 20;
const CHECKPOINT_MS = 1000;

function onErrorOption(text) {
  if (text === 'stop' || text === 'skip') return { mode: text };
  const path = /^dead-letter[:=](.+)$/s.exec(text)?.[1];
  if (path !== undefined) return { mode: 'dead-letter', path };
  throw new InvalidArgumentError('It is stop, skip, or dead-letter FILE.');
}

function maxRecordOption(text) {
  const value = bytes(text);
  if (value <= LARGEST_MAX_RECORD) return value;
  throw new InvalidArgumentError('It must not be over 256mb.');
}

/** `--on-error dead-letter FILE` is one option with two words. */
function joinDeadLetter(args) {
  const at = args.indexOf('dead-letter');
  if (at < 1 || args[at - 1] !== '--on-error') return args;
  const path = args[at + 1];
  if (path === undefined) return args;
  return [...args.slice(0, at), `dead-letter:${path}`, ...args.slice(at + 2)];
}

function inputPath(argument, options) {
  if (argument !== undefined && options.input !== undefined) {
    throw usageError('the input is named twice');
  }
  const path = argument ?? options.input;
  const isStdin = path === '-' || standardStream(path) === 'in';
  if (path !== undefined && !isStdin) return path;
  if (!process.stdin.isTTY) return undefined;
  throw usageError(
    'there is no input',
    'name a file, or pipe into the command',
  );
}

function checkFiles({ input, output, checkpoint, onError }) {
  const files = [input, output, checkpoint, onError.path]
    .filter((path) => path !== undefined)
    .map((path) => resolve(path));
  if (new Set(files).size < files.length) {
    throw usageError('input, output, checkpoint and dead letters must differ');
  }
  if (checkpoint === undefined) return;
  if (input === undefined) {
    throw usageError(
      '--checkpoint needs a file as input: stdin cannot be read again',
    );
  }
  if (output === undefined) {
    throw usageError(
      '--checkpoint needs --output: what stdout has taken cannot be undone',
    );
  }
}

/** The settings of a run, from the options. */
function readSettings(label, argument, options) {
  const input = inputPath(argument, options);
  const isStdout =
    options.output === '-' || standardStream(options.output) === 'out';
  const output = isStdout ? undefined : options.output;
  const reference = readModuleReference(label);
  const format = inputFormat(input, options.format);
  const writes = outputFormat(output, options.outputFormat, format);
  const delimiter = delimiterOf(input, options.delimiter);
  const { json = false, quiet = false, onError } = options;
  const resultsOnTerminal = output === undefined && process.stdout.isTTY;
  const settings = {
    ...options,
    label,
    reference,
    input,
    output,
    format,
    delimiter,
    outputFormat: writes,
    outputDelimiter: delimiterOf(output),
    columns: options.columns?.split(','),
    header: format === 'csv' && options.header,
    maxBytes: options.maxRecord,
    poolOptions: {
      ...tableOptions('map', options).pool,
      codeCache: codeCacheOf(options),
    },
    checkpointMs: options.checkpointInterval,
    json,
    quiet,
    progress:
      process.stderr.isTTY === true && !resultsOnTerminal && !json && !quiet,
    setup: {
      function: `${reference.url}#${reference.name}`,
      input: input && resolve(input),
      output: output && resolve(output),
      'dead-letter file': onError.path && resolve(onError.path),
      format,
      'output format': writes,
      delimiter,
      header: options.header,
    },
  };
  checkFiles(settings);
  return settings;
}

function stoppedError({ index, error }) {
  return new CliError(
    error.code ?? 'SLOPPY_CLI_RECORD',
    `record ${index + 1} failed: ${brief(error)}`,
    {
      exit: Exit.JobFailed,
      cause: error.stack ? error : undefined,
      hint: '--on-error skip goes on without it, dead-letter FILE keeps it',
    },
  );
}

function summaryText(summary, checkpoint) {
  const { records, written, failed, dropped, hidden, elapsedMs } = summary;
  if (elapsedMs === 0 && summary.isFinished && summary.isResumed) {
    return `done before: ${records} records; delete the checkpoint to repeat`;
  }
  const parts = [`${records} records`, `${written} written`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (dropped > 0) parts.push(`${dropped} without a result`);
  if (hidden > 0) parts.push(`${hidden} with fields that have no column`);
  parts.push(`${(elapsedMs / 1000).toFixed(1)} s`);
  if (!summary.isResumed) parts.push(perSecond(records, elapsedMs / 1000));
  const start = summary.isFinished ? 'done' : 'stopped';
  const more =
    summary.isFinished || checkpoint === undefined
      ? ''
      : '; the same command goes on from here';
  return `${start}: ${parts.join(', ')}${more}`;
}

async function tell(summary, settings) {
  const { failure: _failure, ...shown } = summary;
  if (settings.json) {
    const text = `${JSON.stringify(shown)}\n`;
    if (settings.output === undefined) process.stderr.write(text);
    else await print(text);
  } else if (!settings.quiet) {
    process.stderr.write(`${summaryText(summary, settings.checkpoint)}\n`);
  }
}

async function map(label, argument, options) {
  const settings = readSettings(label, argument, options);
  const stop = onStop();
  let inspector;
  try {
    coverIfAsked(options);
    inspector = await openForDebuggers(options);
    const { exit, summary } = await new MapJob(settings, stop).run();
    await tell(summary, settings);
    if (summary.failure !== undefined) throw stoppedError(summary.failure);
    return exit;
  } catch (error) {
    if (stop.exit !== undefined && !(error instanceof CliError)) {
      return stop.exit;
    }
    throw error;
  } finally {
    stop.end();
    await inspector?.close();
  }
}

function addMapCommand(program, end) {
  const format = (flags, text) => new Option(flags, text).choices(FORMATS);
  const command = program
    .command('map')
    .summary('call a function with every record of a file, on all cores')
    .description('Call an exported function with every record of an input.')
    .argument('<module#export>', 'a file or package; default export: default')
    .argument('[input]', 'a file; without it, or with -, stdin')
    .option('-i, --input <file>', 'the same as the argument')
    .option('-o, --output <file>', 'where the results go, default stdout')
    .addOption(
      format('-f, --format <format>', 'of the input, default by its name'),
    )
    .addOption(
      format('-F, --output-format <format>', 'default by its name, or ndjson'),
    )
    .option('--delimiter <char>', 'of CSV: one character, or tab')
    .option('--no-header', 'CSV without one: records are arrays')
    .option('--columns <names>', 'of CSV results, with commas between')
    .option('--unordered', 'write results as they come')
    .option('--batch <count>', 'records that travel together', count)
    .option('--timeout <time>', 'of one record: 500ms, 5s, 2m', duration)
    .option('--retries <count>', 'of a record that fails', countOrNone, 0)
    .addOption(
      new Option('--on-error <action>', 'stop, skip, or dead-letter FILE')
        .argParser(onErrorOption)
        .default({ mode: 'stop' }, 'stop'),
    )
    .option('--max-record <size>', 'a longer one fails', maxRecordOption)
    .option('--checkpoint <file>', 'go on from here after Ctrl-C or a crash')
    .option('--checkpoint-interval <time>', 'how often, default 1s', duration)
    .option('--dashboard <port>', 'watch it in a browser; 0: any port', port)
    .option('-q, --quiet', 'no progress, no summary')
    .option('--json', 'summary and errors as JSON');
  addTableFlags(command, { workers: 'one for each core' });
  addCoverageOption(addInspectOptions(addCodeCacheOption(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (label, input, given) => {
      const options = {
        workers: os.availableParallelism(),
        maxRecord: DEFAULT_MAX_RECORD,
        checkpointInterval: CHECKPOINT_MS,
        ...given,
        ordered: !given.unordered,
      };
      end(await map(label, input, options));
    });
}

module.exports = { addMapCommand, joinDeadLetter };
