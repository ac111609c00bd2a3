'use strict';

// Read by the library when it is loaded, and by the processes a test starts.
process.env.SLOPPY_WORKERS_RUNTIME = 'process';
