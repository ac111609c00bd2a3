'use strict';
// Viewers that leave, stall or ask oddly, and pools that cannot be read, cost
// nobody else the page and never end the process.

const { EventEmitter, once } = require('node:events');
const http = require('node:http');
const http2 = require('node:http2');
const net = require('node:net');

const { createDashboard } = require('../../../lib/exporters/dashboard.js');
const { createPool, stopAll } = require('../conformance/support.js');

const endings = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
  await stopAll();
});

async function serve(listener, create = http.createServer) {
  const server = create(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(() => {
    server.closeAllConnections?.();
    return new Promise((resolve) => server.close(resolve));
  });
  return server.address().port;
}

/** The status and first events of one more viewer. */
async function look(port) {
  const controller = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/?events`, {
    signal: controller.signal,
  });
  const { value } = await response.body.getReader().read();
  controller.abort();
  return { status: response.status, text: Buffer.from(value).toString() };
}

/** Sends a request as it is, and closes the connection at once. */
async function askAndLeave(port, text) {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(text);
  await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
}

const EVENTS = 'GET /?events HTTP/1.1\r\nhost: x\r\n\r\n';

/** The options of warnings while `act` runs. */
async function warningsOf(act) {
  const emitted = jest.spyOn(process, 'emitWarning').mockReturnValue();
  try {
    await act();
    return emitted.mock.calls.map(([, options]) => options);
  } finally {
    emitted.mockRestore();
  }
}

test('viewers that left before the handler ran take no place', async () => {
  const dashboard = createDashboard({ pools: createPool(), interval: 10 });
  let late = 0;
  const port = await serve((req, res) => {
    if (req.headers.host !== 'x') {
      dashboard(req, res);
      return;
    }
    // A login that looks something up does this: the viewer is gone by then.
    res.on('close', () =>
      setImmediate(() => {
        expect(dashboard(req, res)).toBe(true);
        late += 1;
      }),
    );
  });
  for (let i = 0; i < 70; i += 1) await askAndLeave(port, EVENTS);
  while (late < 70) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await look(port)).status).toBe(200);
});

test('the same over HTTP/2', async () => {
  const dashboard = createDashboard({ pools: createPool(), interval: 10 });
  const came = new EventEmitter();
  const port = await serve((req, res) => {
    if (req.url === '/?events') {
      dashboard(req, res);
      return;
    }
    res.on('close', () =>
      setImmediate(() => {
        dashboard({ method: 'GET', url: '/?events' }, res);
        came.emit('late');
      }),
    );
    came.emit('request');
  }, http2.createServer);
  const session = http2.connect(`http://127.0.0.1:${port}`);
  endings.unshift(() => session.destroy());
  for (let i = 0; i < 70; i += 1) {
    const requested = once(came, 'request');
    const late = once(came, 'late');
    const stream = session.request({ ':path': '/late' });
    stream.on('error', () => {});
    await requested;
    stream.close(http2.constants.NGHTTP2_CANCEL);
    await late;
  }
  const stream = session.request({ ':path': '/?events' });
  const [headers] = await once(stream, 'response');
  expect(headers[':status']).toBe(200);
});

test('a response that others have answered or ended is left alone', async () => {
  const dashboard = createDashboard({ pools: createPool(), interval: 5 });
  const answers = [];
  const port = await serve((req, res) => {
    if (req.url === '/answered') {
      res.end('by somebody else');
      answers.push(dashboard(req, res));
    } else {
      dashboard(req, res);
      // A middleware that limits the time of a request does this.
      setTimeout(() => res.end(), 20);
    }
  });
  const text = async (path) =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  expect(await text('/answered')).toBe('by somebody else');
  expect(answers).toEqual([true]);
  expect(await text('/?events')).toContain('event: history');
  // Samples that would be written after the end come here.
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect((await look(port)).status).toBe(200);
});

const THROWERS = {
  'an error': () => {
    throw new Error('hunter2');
  },
  nothing: () => {
    throw null;
  },
  'a rejected promise': () => Promise.reject(new Error('hunter2')),
  'no pools': () => 5,
  'something without metrics': () => [{}],
  'metrics that throw': () => [
    {
      metrics() {
        throw new Error('hunter2');
      },
    },
  ],
  'metrics of another shape': () => [{ metrics: () => ({ kind: 'pool' }) }],
  'an iterator that throws': () => ({
    // biome-ignore lint/correctness/useYield: it fails before it yields.
    *[Symbol.iterator]() {
      throw new Error('hunter2');
    },
  }),
};

test.each(Object.keys(THROWERS))('pools that give %s', async (name) => {
  const pool = createPool({}, 'sound');
  let isBroken = false;
  const dashboard = createDashboard({
    pools: () => (isBroken ? THROWERS[name]() : [pool]),
    interval: 5,
  });
  endings.push(() => dashboard.close());
  const port = await serve(dashboard);
  isBroken = true;
  const warnings = await warningsOf(async () => {
    const { status, text } = await look(port);
    expect(status).toBe(200);
    expect(text).toContain('"isPartial":true');
    expect(text).not.toContain('hunter2');
    await look(port);
  });
  expect(warnings.map(({ code }) => code)).toEqual([
    'SLOPPY_W_POOLS_UNREADABLE',
  ]);
  expect(String(warnings[0].detail)).not.toContain('hunter2');
  isBroken = false;
  // The history ends with its last viewer.
  dashboard.close();
  const { text } = await look(port);
  expect(text).toContain('"name":"sound"');
  expect(text).not.toContain('isPartial');
});

test('one pool that cannot be read hides no other', async () => {
  const pool = createPool({}, 'sound');
  let isBroken = false;
  const odd = {
    metrics() {
      if (isBroken) throw new Error('odd');
      return pool.metrics();
    },
  };
  const dashboard = createDashboard({ pools: [odd, pool], interval: 5 });
  const port = await serve(dashboard);
  isBroken = true;
  const { text } = await look(port);
  const [{ pools, isPartial }] = JSON.parse(
    /event: history\ndata: (.*)/.exec(text)[1],
  );
  expect(pools.map((shown) => shown.name)).toEqual(['sound']);
  expect(isPartial).toBe(true);
});

test('a function that throws at the start is told to whoever called', () => {
  const pools = () => {
    throw new RangeError('not yet');
  };
  expect(() => createDashboard({ pools })).toThrow('not yet');
});

test('a viewer that takes nothing is let go', async () => {
  const pool = createPool();
  const dashboard = createDashboard({ pools: pool, interval: 2 });
  let stalled;
  const port = await serve((req, res) => {
    if (req.headers.host === 'x') {
      stalled = res;
      // A full connection looks like this from here.
      Object.defineProperty(res, 'writableLength', { value: 2 ** 30 });
    }
    dashboard(req, res);
  });
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  socket.write(EVENTS);
  await once(socket.resume(), 'close');
  expect(stalled.destroyed).toBe(true);
  expect((await look(port)).status).toBe(200);
});

test('more than 64 viewers are refused, until some leave', async () => {
  const dashboard = createDashboard({ pools: createPool(), interval: 50 });
  const port = await serve(dashboard);
  const sockets = [];
  for (let i = 0; i < 64; i += 1) {
    const socket = net.connect(port, '127.0.0.1');
    socket.write(EVENTS);
    await once(socket, 'data');
    sockets.push(socket);
  }
  expect((await look(port)).status).toBe(503);
  for (const socket of sockets) socket.destroy();
  let status = 503;
  while (status === 503) ({ status } = await look(port));
  expect(status).toBe(200);
});

test.each([
  'GET http://[::bad/?events HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET ? HTTP/1.1\r\nhost:\r\n\r\n',
  'GET /%00%ff%zz?%%% HTTP/1.1\r\nhost: \u00ff\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /?events HTTP/1.0\r\n\r\n',
  'POST /?events HTTP/1.1\r\nhost: x\r\ncontent-length: 9999999\r\n\r\nx',
  `GET /?${'e'.repeat(10_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  'no HTTP at all\r\n\r\n',
])('an odd request is harmless: %#', async (text) => {
  const dashboard = createDashboard({ pools: createPool(), interval: 5 });
  const port = await serve(dashboard);
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  socket.write(text, 'latin1');
  const [first] = await once(socket, 'data');
  expect(first.toString()).toMatch(/^HTTP\/1\.[01] \d{3}/);
  socket.destroy();
  expect((await look(port)).status).toBe(200);
});

test('a path is found in a request that names the whole address', async () => {
  const dashboard = createDashboard({ pools: createPool(), path: '/workers' });
  const port = await serve((req, res) => {
    if (!dashboard(req, res)) res.writeHead(404).end();
  });
  const socket = net.connect(port, '127.0.0.1');
  socket.write('GET http://any.host:1/workers HTTP/1.1\r\nhost: x\r\n\r\n');
  const [first] = await once(socket, 'data');
  socket.destroy();
  expect(first.toString()).toContain('200 OK');
});
