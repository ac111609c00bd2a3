'use strict';

const { qoper8Programs, run } = require('./documented.js');

const doc = qoper8Programs();

const QOPER8 = "import {QOper8} from 'qoper8-wt';\n";
const BENCHMARK = "import {benchmark} from 'qoper8-wt/benchmark';\n";
const PRINT = '\nconsole.log(JSON.stringify(res));';
const STOP = '\nawait qoper8.stop();';
const ECHO = doc['myMessage.mjs'];

const echoed = (data, more) => ({
  processing: 'Message processing done!',
  data,
  ...more,
  time: expect.any(Number),
  qoper8: { finished: true },
});

const answers = ({ lines }) =>
  lines.filter((line) => line.startsWith('{"')).map((line) => JSON.parse(line));

// Programs that take seconds, because their delays are the documentation's, at
// once: ten times as many on a busy machine.
const LIMIT = 240_000;
const slow = {
  benchmark: run({ 'main.mjs': doc.benchmark }),
  140: run({ 'main.mjs': BENCHMARK + doc['benchmark, delay 140'] }),
  10: run({ 'main.mjs': BENCHMARK + doc['benchmark, delay 10'] }),
  QBackup: run({ 'main.mjs': doc['benchmark with QBackup'] }),
  asynchronous: run({
    'later.mjs': doc['asynchronous handler'],
    'main.mjs': `${QOPER8}
      const handlersByMessageType = new Map([['a', {module: './later.mjs'}]]);
      const qoper8 = new QOper8({ handlersByMessageType });
      const res = await qoper8.send({ type: 'a', data: 1 });${PRINT}`,
  }),
};

test('app.mjs, and its handler', async () => {
  const { code, lines, stderr } = await run(
    { 'app.mjs': doc['app.mjs'], 'myMessage.mjs': ECHO },
    'app.mjs',
  );
  expect([code, stderr]).toEqual([0, '']);
  const from = lines.indexOf('Results received from Worker Thread:') + 1;
  expect(from).toBeGreaterThan(1);
  const to = lines.indexOf('}', from) + 1;
  const answer = JSON.parse(lines.slice(from, to).join('\n'));
  expect(answer).toEqual(echoed({ hello: 'world' }));
  const logged = lines.slice(0, from - 1).join('\n');
  const steps = [
    /Max worker pool size: 1\n/,
    /\d+: try processing queue: length 1\n/,
    /\d+: no available workers\n/,
    /\d+: starting new worker\n/,
    /\d+: new worker 0 started\.\.\.\n/,
    /\d+: response received from Worker: 0\n/,
    /\d+: worker 0 was available\. Sending message to it\n/,
    /\d+: Message received by worker 0: {\n/,
    /\d+: try processing queue: length 0\n/,
    /\d+: Queue empty/,
  ];
  const places = steps.map((step) => logged.search(step));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThanOrEqual(0);
});

test('the import, the options, a message without a handler', async () => {
  const main = `${doc.import}\n${doc.options}\n${doc.send}${PRINT}${STOP}`;
  const results = await run({ 'main.mjs': main, 'testHandler.mjs': ECHO });
  expect(results).toMatchObject({ code: 0, stderr: '' });
  expect(answers(results)).toEqual([
    {
      error: 'No handler defined for messages of type myMessageType1',
      originalMessage: { type: 'myMessageType1', data: { hello: 'world' } },
      qoper8: { finished: true },
    },
  ]);
});

test('the pattern of a handler', async () => {
  const results = await run({
    // Creating it is left to the reader.
    'handler.mjs': `let responseObj = { ok: true };\n${doc.handler}`,
    'main.mjs': `${doc.import}
      let qoper8 = new QOper8({ handlersByMessageType: new Map([
        ['myMessageType1', { module: './handler.mjs' }]
      ]) });
      ${doc.send}${PRINT}${STOP}`,
  });
  expect(results).toMatchObject({ code: 0, stderr: '' });
  const answer = { ok: true, qoper8: { finished: true } };
  expect(answers(results)).toEqual([answer]);
});

test(
  'a handler that answers after three seconds',
  async () => {
    const results = await slow.asynchronous;
    expect(results).toMatchObject({ code: 0, stderr: '' });
    expect(answers(results)).toEqual([echoed(1)]);
  },
  LIMIT,
);

describe('a startup module', () => {
  // Its properties are for the handlers; the documented one ignores them.
  const handler = `${ECHO.replace(
    'data: obj.data,',
    'data: obj.data, foo: this.foo, bar: typeof this.bar,',
  )}`;
  const send = "let res = await qoper8.send({ type: 'myMessage', data: 1 });";

  test.each(['onStartup', 'setOnStartupModule'])('by %s', async (way) => {
    const results = await run({
      'myMessage.mjs': handler,
      'myStartupModule.mjs': doc['startup module'],
      'main.mjs': `${QOPER8}${doc[way]}\n${send}${PRINT}${STOP}`,
    });
    expect(results).toMatchObject({ code: 0, stderr: '' });
    const properties = { foo: 'foo 123', bar: 'function' };
    expect(answers(results)).toEqual([echoed(1, properties)]);
    const farewell = 'Worker Thread is about to be shut down by QOper8-wt';
    expect(results.lines).toContain(farewell);
  });
});

describe('a handler', () => {
  test('that crashes', async () => {
    const results = await run({
      'test.mjs': 'let handler = function() { y; };\nexport {handler};',
      'main.mjs': `${QOPER8}${doc.handlerTimeout}\n${doc.request}${PRINT}${STOP}`,
    });
    expect(results).toMatchObject({ code: 0, stderr: '' });
    const [answer] = answers(results);
    const shown = doc['answer to a crashed handler'];
    const { caughtError, ...others } = JSON.parse(shown);
    expect(answer).toMatchObject(others);
    expect(answer.caughtError.startsWith(caughtError.split('\\n...')[0])).toBe(
      true,
    );
    const { stack } = JSON.parse(answer.caughtError);
    expect(stack).toMatch(/^ReferenceError: y is not defined\n/);
  });

  test('that never ends', async () => {
    const results = await run({
      'test.mjs':
        'let handler = function() { for (;;) {} };\nexport {handler};',
      // The page's minute would be too long.
      'main.mjs': `${QOPER8}${doc.handlerTimeout.replace('60000', '300')}
        ${doc.request}${PRINT}${STOP}`,
    });
    expect(results).toMatchObject({ code: 0, stderr: '' });
    const shown = `(${doc['answer to a handler without end'].replace(/;$/, '')})`;
    // biome-ignore lint/security/noGlobalEval: an object as the page has it.
    expect(answers(results)).toEqual([eval(shown)]);
  });
});

test('QBackup and the recovery', async () => {
  const hooks = doc.QBackup.replace(
    '// your code for saving',
    'live.set(id, requestObject); //',
  ).replace('// your code for deleting', 'live.delete(id); //');
  // A sketch, whose loop and deletion are not JavaScript.
  const recovery = doc.recovery
    .replace('requestObject in yourDatabase', '[id, requestObject] of stored')
    .replace('delete requestObject from yourDatabase', 'stored.delete(id)');
  const results = await run({
    'test.mjs': ECHO,
    'main.mjs': `${QOPER8}
      let live = new Map();
      let stored = new Map([[7, { type: 'test' }], [9, { type: 'test' }]]);
      ${hooks}
      let handled = 0;
      qoper8.on('QBackupDelete', () => handled++);
      ${recovery}
      console.log([...live.keys()].join(), stored.size);
      ${doc.request}
      // Several workers: the last one to be sent need not be the last to end.
      while (live.size > 0) await new Promise((soon) => setTimeout(soon, 5));
      console.log(res.processing, handled, live.size);${STOP}`,
  });
  expect(results).toMatchObject({ code: 0, stderr: '' });
  expect(results.lines).toEqual(['1,2 0', 'Message processing done! 3 0']);
});

test('handlers as text', async () => {
  const results = await run({
    'main.mjs': `${QOPER8}${doc['handler as text']}
      let qoper8 = new QOper8({
        // The page's quotes are a slip, so they are left out.
        ${doc['option for a handler as text'].replace("'handlerFn'", 'handlerFn')}
      });
      let res = await qoper8.send({ type: 'myMessage', data: { foo: 1 } });
      ${PRINT}${STOP}`,
  });
  expect(results).toMatchObject({ code: 0, stderr: '' });
  const { data, ...answer } = echoed(undefined, { foo: 1, bar: 'xyz' });
  expect(answers(results)).toEqual([answer]);
});

describe('the app with a handler as text', () => {
  const app = doc['app with a handler as text'];
  const resultOf = ({ lines }) => {
    const from = lines.indexOf('Results received from Worker Thread:') + 1;
    return JSON.parse(lines.slice(from, lines.indexOf('}', from) + 1).join(''));
  };

  test('as it stands: what it names in quotes is no handler', async () => {
    const results = await run({ 'main.mjs': app });
    expect(results).toMatchObject({ code: 0, stderr: '' });
    const { error, caughtError } = resultOf(results);
    expect(error).toBe('Error running Handler Method for type myMessage');
    expect(caughtError).toMatch(/handlerFn is not defined/);
  });

  test('without the quotes', async () => {
    const main = app.replace("'handlerFn'", 'handlerFn');
    const results = await run({ 'main.mjs': main });
    expect(results).toMatchObject({ code: 0, stderr: '' });
    expect(resultOf(results)).toEqual(echoed({ hello: 'world' }));
  });
});

test('callbacks, events, the log and intermediate messages', async () => {
  const handler = `let handler = function(message, finished) {
    ${doc.postMessage}
    finished({ ok: true });
  };
  export {handler};`;
  const said = (text, code, at) =>
    code.replace(at, `console.log('${text}');\n${at}`);
  const emit = doc.emit.replace('):', ');');
  const results = await run({
    'test.mjs': handler,
    'main.mjs': `${QOPER8}
      let qoper8 = new QOper8({
        logging: true,
        handlersByMessageType: new Map([['test', { module: './test.mjs' }]]),
      });
      let messageObj = { type: 'test' };
      let bar = 1;
      ${said('custom', doc.replyReceived, '// do something')}
      ${said('answered', doc.message, '// handle the returned')}
      ${doc['message without callback']}
      ${doc.log}
      ${said('myEvent', doc.on, '// handle')}
      ${emit}
      ${doc.off}
      ${emit}
      qoper8.on('QBackupDelete', (id) => { if (id === 2) qoper8.stop(); });`,
  });
  expect(results).toMatchObject({ code: 0, stderr: '' });
  const of = (...words) => results.lines.filter((line) => words.includes(line));
  expect(of('custom', 'answered')).toEqual(['custom', 'answered', 'custom']);
  expect(of('myEvent')).toEqual(['myEvent']);
  expect(results.lines.join('\n')).toMatch(/^\d{13}: This is a message$/m);
});

describe('its benchmark', () => {
  const report = ({ code, lines, stderr }) => {
    expect([code, stderr]).toEqual([0, '']);
    const text = lines.join('\n');
    const [, messages] = /^(\d+) messages: [\d.]+ sec$/m.exec(text);
    expect(text).toMatch(/^Completed sending messages$/m);
    expect(text).toMatch(/^Processing rate: [\d.]+ message\/sec$/m);
    const workers = [...text.matchAll(/^Worker Thread \d: (\d+) messages/gm)];
    const handled = workers.reduce((sum, [, count]) => sum + Number(count), 0);
    expect([workers.length, handled]).toEqual([3, Number(messages)]);
    return handled;
  };

  test.each([
    ['benchmark', 100_000],
    ['140', 5_000],
    ['10', 5_000],
    ['QBackup', 100_000],
  ])(
    '%s',
    async (name, messages) => {
      expect(report(await slow[name])).toBe(messages);
    },
    LIMIT,
  );
});
