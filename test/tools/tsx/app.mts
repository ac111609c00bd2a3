import { inlineAnswer, moduleAnswer } from './src/jobs';

const answers = [
  await inlineAnswer(),
  await moduleAnswer(new URL('./src/tasks.js', import.meta.url)),
];
console.log(answers.join(', '));
