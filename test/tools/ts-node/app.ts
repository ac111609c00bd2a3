import { join } from 'node:path';
import { inlineAnswer, moduleAnswer } from './src/jobs';

const inline = inlineAnswer();
const tasks = moduleAnswer(join(__dirname, 'src/tasks.ts'));
Promise.all([inline, tasks]).then((answers) => console.log(answers.join(', ')));
