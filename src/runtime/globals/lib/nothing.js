'use strict';

// Stands for a module that is required for its side effects only.
