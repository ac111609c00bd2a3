'use strict';
// Stands for the addon of aws-lambda-ric, which is only built by its install
// script: the same three calls of the Runtime API, in JavaScript.

const http = require('node:http');

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;

const call = (method, path, body) =>
  new Promise((resolve, reject) => {
    const request = http.request(`${api}/${path}`, { method, agent });
    request.on('error', reject).on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ bodyJson: text, headers: response.headers });
    });
    request.end(body);
  });

const file = require.resolve('aws-lambda-ric/dist/rapid-client.node');
const stub = new module.constructor(file);
stub.exports = {
  next: () => call('GET', 'next'),
  done: (id, body) => call('POST', `${id}/response`, body),
  error: (id, body) => call('POST', `${id}/error`, body),
};
require.cache[file] = stub;
