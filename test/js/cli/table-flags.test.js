'use strict';
// The command line takes the library's options by the flags of the table.

const { Command } = require('commander');

const { FLAGS } = require('../../../lib/cli/flags.gen.js');
const { createProgram } = require('../../../lib/cli/program.js');
const {
  addTableFlags,
  tableOptions,
} = require('../../../lib/cli/table-flags.js');
const { ROWS } = require('../../../lib/options/table.gen.js');

const program = createProgram(() => {});
const commandOf = (name) => program.commands.find((one) => one.name() === name);
const helpOf = (name) => commandOf(name).helpInformation().replace(/\s+/g, ' ');
const long = (flag) => /--[a-z-]+/.exec(flag)[0];
const all = FLAGS.flatMap((row) =>
  Object.entries(row.flags).map(([command, flag]) => ({
    ...row,
    command,
    flag: long(flag),
  })),
);

/** The options that a command makes of arguments. */
function parse(name, ...args) {
  const command = addTableFlags(new Command(name))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  command.parse(args, { from: 'user' });
  return tableOptions(name, command.opts());
}

const textOf = ({ is, values }) => (is === 'choice' ? values.at(-1) : '64');

describe.each(all)('$command $flag', ({ command, flag, ...row }) => {
  test('is a flag of the command', () => {
    const flags = commandOf(command).options.map((one) => one.long);
    expect(flags.filter((one) => one === flag)).toHaveLength(1);
  });

  test('is an option that pools or calls have', () => {
    const taken = ROWS.filter(({ name }) => name === row.option);
    const taker = row.taker === 'pool' ? 'pool' : 'run';
    expect(taken.some(({ of }) => of.includes(taker))).toBe(true);
  });

  test('becomes that option', () => {
    const text = textOf(row);
    const other = row.taker === 'pool' ? 'call' : 'pool';
    expect(parse(command, flag, text)).toEqual({
      [row.taker]: { [row.option]: row.is === 'choice' ? text : 64 },
      [other]: {},
    });
  });

  test('is left out unless it is given', () => {
    expect(parse(command)).toEqual({ pool: {}, call: {} });
  });

  test.each(['none', '-1', '0', ''])('refuses %j', (text) => {
    expect(() => parse(command, `${flag}=${text}`)).toThrow(
      expect.objectContaining({ code: 'commander.invalidArgument' }),
    );
  });
});

test.each([
  ['64', 64],
  ['64mb', 64],
  ['1gb', 1024],
])('--memory %s is %d MiB', (text, value) => {
  expect(parse('run', '--memory', text).pool.memoryLimitMb).toBe(value);
});

test.each(['15', '15mb', '5gb'])('--memory %s is out of its range', (text) => {
  expect(() => parse('map', '--memory', text)).toThrow(
    'It must be between 16 and 4096 mb.',
  );
});

test.each([
  ['250', 250],
  ['1.5s', 1500],
  ['2m', 120_000],
])('--timeout %s is %d ms', (text, value) => {
  expect(parse('worker', '--timeout', text).call.timeoutMs).toBe(value);
});

test('what threads do not have is wrong use with them', () => {
  expect(() => parse('worker', '--runtime', 'thread', '--cpu', '1s')).toThrow(
    expect.objectContaining({
      code: 'SLOPPY_CLI_USAGE',
      message: '--cpu needs isolates',
    }),
  );
});

test('the help names each default', () => {
  const help = helpOf('worker');
  expect(help).toContain('default 128mb');
  expect(help).toContain('default isolate');
  expect(helpOf('map')).toContain('at once, default one for each core');
});
