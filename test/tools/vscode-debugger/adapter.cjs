'use strict';
// Sessions of the Debug Adapter Protocol with VS Code's debugger.

const net = require('node:net');

const END_OF_HEAD = '\r\n\r\n';

class Adapter {
  #socket;
  #last = 0;
  #asked = new Map();
  #read = Buffer.alloc(0);

  /** @param {(event: string, body: object, adapter: Adapter) => void} heard */
  constructor(socket, heard) {
    this.#socket = socket;
    this.heard = heard;
    socket.on('data', (data) => {
      this.#read = Buffer.concat([this.#read, data]);
      while (this.#next());
    });
    // It ends with the program.
    socket.on('error', () => {});
  }

  #next() {
    const head = this.#read.indexOf(END_OF_HEAD);
    if (head < 0) return false;
    const start = head + END_OF_HEAD.length;
    const size = Number(/Length: (\d+)/.exec(this.#read.subarray(0, head))[1]);
    if (this.#read.length < start + size) return false;
    const message = JSON.parse(this.#read.subarray(start, start + size));
    this.#read = this.#read.subarray(start + size);
    this.#take(message);
    return true;
  }

  #take(message) {
    if (message.type === 'event') {
      this.heard(message.event, message.body, this);
    } else if (message.type === 'response') {
      this.#asked.get(message.request_seq)(message.body);
    }
  }

  /** @returns {Promise<object>} the answer's body */
  ask(command, given = {}) {
    this.#last += 1;
    const text = JSON.stringify({
      seq: this.#last,
      type: 'request',
      command,
      arguments: given,
    });
    const answer = new Promise((resolve) =>
      this.#asked.set(this.#last, resolve),
    );
    this.#socket.write(
      `Content-Length: ${Buffer.byteLength(text)}${END_OF_HEAD}${text}`,
    );
    return answer;
  }
}

/** @param {object[]} where arguments of VS Code's DebugAdapterServer */
async function connect([where, host = '127.0.0.1'], heard) {
  const socket =
    typeof where === 'number' ? net.connect(where, host) : net.connect(where);
  const adapter = new Adapter(socket, heard);
  await adapter.ask('initialize', {
    clientID: 'vscode',
    adapterID: 'pwa-node',
    pathFormat: 'path',
    linesStartAt1: true,
    columnsStartAt1: true,
  });
  return adapter;
}

module.exports = { connect };
