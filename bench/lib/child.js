'use strict';
// One subject of one question, in a process of its own. The parent asks for
// a round at a time, so that the subjects take turns on the machine.

const [, , file, name, quick] = process.argv;

async function main() {
  const question = require(file);
  const subject = await question.subjects[name]({ quick: quick === 'quick' });
  process.on('message', async (message) => {
    try {
      if (message === 'close') {
        await subject.close?.();
        process.exit(0);
      }
      process.send({ lines: await subject.round() });
    } catch (error) {
      fail(error);
    }
  });
  // Work of a round may go on; it must not outlive the parent.
  process.once('disconnect', () => process.exit(1));
  process.send({ ready: true });
}

function fail(error) {
  process.send({ error: String(error?.stack ?? error) }, () => process.exit(1));
}

main().catch(fail);
