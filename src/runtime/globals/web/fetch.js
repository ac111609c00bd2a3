'use strict';

// The classes of the Fetch standard. There is no network in a worker, so there
// is no fetch() that would use them; libraries read streams with them.

const { FormData } = require('../lib/fetch/form-data.js');
const { Headers } = require('../lib/fetch/headers.js');
const { Request } = require('../lib/fetch/request.js');
const { Response, wasmBytes } = require('../lib/fetch/response.js');

module.exports = { FormData, Headers, Request, Response, wasmBytes };
