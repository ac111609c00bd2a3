'use strict';

const workerpool = require('workerpool');
const { jobs } = require('../jobs.js');

workerpool.worker(jobs);
