// Reads JSON lines {"name", "sentences"} and writes one JSON line for each finding of Harper. `scripts/grammar.py` runs it.
import { Dialect, LocalLinter } from 'harper.js';
import { binary } from 'harper.js/binary';
import { createInterface } from 'node:readline';

// Matters of layout, of spelling and of names, which formulas, codes and invented words of the tasks would trip over.
const OFF = [
  'SpellCheck', 'LongSentences', 'SentenceCapitalization', 'UnclosedQuotes', 'Spaces', 'OrthographicConsistency', 'Dashes', 'EllipsisLength',
  'NumberSuffixCapitalization', 'OxfordComma', 'NoOxfordComma', 'SpelledNumbers', 'CapitalizePersonalPronouns', 'UseTitleCase', 'SplitWords',
  'FrenchSpaces', 'CommaFixes', 'MergeWords', 'Bite', 'Months',
];

const linter = new LocalLinter({ binary, dialect: Dialect.British });
await linter.setup();
const rules = await linter.getLintConfig();
for (const rule of OFF) rules[rule] = false;
await linter.setLintConfig(rules);

for await (const line of createInterface({ input: process.stdin })) {
  const { name, sentences } = JSON.parse(line);
  const text = sentences.join('\n\n');
  for (const lint of await linter.lint(text, { language: 'plaintext' })) {
    const { start, end } = lint.span();
    const around = text.slice(Math.max(0, start - 45), end + 45);
    console.log(JSON.stringify({ name, message: lint.message(), words: lint.get_problem_text(), around }));
  }
}
