/** A problem that is told in one line, without a stack. */
export class Problem extends Error {}

/** Runs a script's main function; a Problem becomes one line and exit code 1. */
export async function main(run) {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
