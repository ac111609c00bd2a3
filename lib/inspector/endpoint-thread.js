'use strict';
// The endpoint for debuggers, on a thread of its own, so that it answers while
// the program's thread is busy or paused itself.

const { randomUUID } = require('node:crypto');
const { writeSync } = require('node:fs');
const http = require('node:http');
const { parentPort, workerData } = require('node:worker_threads');

const { isLocalHost, isLoopback, isTrustedOrigin } = require('./access.js');
const { RootSession } = require('./root-session.js');
const { DebuggedWorkers } = require('./workers.js');

const { addon, host, mayMove, port, program, wait, ws } = workerData;
const { WebSocketServer } = require(ws);
const { debug } = require(addon);

const MAX_MESSAGE = 64 * 1024 * 1024;
const ROOT = randomUUID();
// Bytes that a debugger may leave unread.
const MAX_UNREAD = 64 * 1024 * 1024;
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';

const workers = new DebuggedWorkers(debug, wait, program);
const sockets = new WebSocketServer({
  noServer: true,
  maxPayload: MAX_MESSAGE,
  perMessageDeflate: false,
});

const rowOf = (at, { id, title, description }) => ({
  description,
  devtoolsFrontendUrl: `devtools://devtools/bundled/js_app.html?experiments=true&v8only=true&ws=${at}/${id}`,
  id,
  title,
  type: 'node',
  url: 'file://',
  webSocketDebuggerUrl: `ws://${at}/${id}`,
});

// VS Code attaches to the first.
function rowsFor(at) {
  const title = `sloppy-workers[${process.pid}]`;
  const root = { id: ROOT, title, description: 'all workers' };
  const others = workers
    .list()
    .map((row) => ({ ...row, id: row.uuid, description: 'a worker' }));
  return [root, ...others].map((row) => rowOf(at, row));
}

function answer(request) {
  if (request.url === '/json/version') {
    return { Browser: 'sloppy-workers', 'Protocol-Version': '1.1' };
  }
  return request.url === '/json' || request.url === '/json/list'
    ? rowsFor(request.headers.host)
    : undefined;
}

const server = http.createServer((request, response) => {
  const allowed = request.method === 'GET' && isLocalHost(request.headers.host);
  const body = allowed ? answer(request) : undefined;
  if (body === undefined) {
    response.writeHead(allowed ? 404 : 400).end();
    return;
  }
  response
    .writeHead(200, {
      'Content-Type': 'application/json; charset=UTF-8',
      'Cache-Control': 'no-cache',
    })
    .end(JSON.stringify(body));
});

const senderTo = (socket) => (text) => {
  if (socket.bufferedAmount > MAX_UNREAD) socket.terminate();
  else socket.send(text);
};

function attachRoot(socket) {
  const root = new RootSession(workers, senderTo(socket), () =>
    socket.terminate(),
  );
  workers.roots.add(root);
  socket.on('message', (data) => {
    try {
      root.receive(String(data));
    } catch {
      // It is no message of the protocol's.
      socket.terminate();
    }
  });
  socket.on('close', () => {
    workers.roots.delete(root);
    root.close();
  });
}

function attachWorker(socket, id) {
  const session = workers.connect(id, senderTo(socket), () =>
    socket.terminate(),
  );
  if (session === undefined) {
    socket.close();
    return;
  }
  socket.on('message', (data) => {
    try {
      session.send(String(data));
    } catch {
      socket.terminate();
    }
  });
  socket.on('close', () => session.close());
}

server.on('upgrade', (request, stream, head) => {
  // Node listens no more, and a reset must end its connection only.
  stream.on('error', () => stream.destroy());
  const id = request.url.slice(1);
  const worker = workers.list().find(({ uuid }) => uuid === id);
  const { host: named, origin } = request.headers;
  const allowed = isLocalHost(named) && isTrustedOrigin(origin);
  if (!allowed || (id !== ROOT && worker === undefined)) {
    // Destroyed, because a client that does not close keeps its descriptor.
    stream.end(BAD_REQUEST, () => stream.destroy());
    return;
  }
  sockets.handleUpgrade(request, stream, head, (socket) => {
    // A malformed frame ends its connection only.
    socket.on('error', () => socket.terminate());
    if (id === ROOT) attachRoot(socket);
    else attachWorker(socket, worker.id);
  });
});

function fail({ code, message }) {
  workers.close();
  parentPort.postMessage({ failed: { code, message } });
  parentPort.close();
}

// process.stderr is the owner's thread's, which may be busy, or end the process
// before it has written.
function tell(text) {
  try {
    writeSync(2, text);
  } catch {
    // Nobody reads it.
  }
}

// A mistake here ends this thread too: see Inspector.
process.once('exit', () => workers.leaveProgram());

let mustMove = mayMove;
server.on('error', (error) => {
  // A connection that could not be taken: the others go on.
  if (server.listening) return;
  if (error.code !== 'EADDRINUSE' || !mustMove) {
    fail(error);
    return;
  }
  mustMove = false;
  tell(`Port ${port} is taken; debuggers get another.\n`);
  server.listen(0, host);
});
server.listen(port, host);
server.once('listening', () => {
  if (!workers.open()) {
    server.close();
    fail(new Error('another inspector is open in this process'));
    return;
  }
  const { address, family, port: bound } = server.address();
  const at =
    family === 'IPv6' ? `[${address}]:${bound}` : `${address}:${bound}`;
  const url = `ws://${at}/${ROOT}`;
  tell(
    `Debugger for sloppy-workers listening on ${url}\n` +
      (isLoopback(address)
        ? ''
        : 'Whoever reaches this address controls the process.\n'),
  );
  parentPort.postMessage({ url, port: bound });
});

parentPort.on('message', (message) => {
  if (message === 'leave') {
    workers.leaveProgram();
    return;
  }
  for (const socket of sockets.clients) socket.terminate();
  server.close();
  server.closeAllConnections();
  workers.close();
  parentPort.close();
});
