'use strict';

const { Command } = require('commander');

const { version } = require('../../package.json');
const { addAuditCommand } = require('./audit.js');
const { addBenchCommand } = require('./bench.js');
const { addDoctorCommand } = require('./doctor.js');
const { addMapCommand } = require('./map.js');
const { addQueueCommand } = require('./queue.js');
const { addRunCommand } = require('./run.js');
const { wantsColour } = require('./terminal.js');
const { addWorkerCommand } = require('./worker.js');

const EXAMPLES = `
Examples:
  $ sloppy-workers run ./tasks.mjs#resize --input '{"width":80}'
  $ sloppy-workers map ./tasks.mjs#score people.ndjson --output scored.ndjson
  $ cat words.txt | sloppy-workers map ./tasks.mjs#upper --format lines | head
  $ sloppy-workers doctor

Exit codes: 0 done, 1 the job failed, 2 wrong use, 3 the machine or a file is
in the way, 4 a checkpoint does not fit, 130 Ctrl-C, 143 SIGTERM.
More: https://www.npmjs.com/package/sloppy-workers, docs/cli.md
`;

/** @param {(exitCode: number) => void} end receives a command's exit code */
function createProgram(end) {
  const program = new Command('sloppy-workers')
    .description(
      'Run JavaScript in V8 isolates on threads of their own, from the shell.',
    )
    .version(version, '-V, --version')
    .helpOption('-h, --help', 'how to use it')
    .helpCommand('help [command]', 'how to use a command')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({
      // main.js reports usage errors, as text or as JSON.
      writeErr: () => {},
      getOutHasColors: () => wantsColour(process.stdout),
      getErrHasColors: () => wantsColour(process.stderr),
    })
    .configureHelp({ styleTitle: (text) => text });
  addRunCommand(program, end);
  addMapCommand(program, end);
  addDoctorCommand(program, end);
  addAuditCommand(program, end);
  addBenchCommand(program, end);
  addWorkerCommand(program, end);
  addQueueCommand(program, end);
  return program;
}

module.exports = { createProgram };
