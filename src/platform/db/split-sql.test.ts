import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { splitSql } from './split-sql.ts'

describe('a script of SQL', () => {
  const cases: [what: string, script: string, statements: string[]][] = [
    ['ends a statement at each semicolon', 'select 1; select 2;\n', ['select 1', 'select 2']],
    ['needs none after the last', 'select 1;select 2', ['select 1', 'select 2']],
    ['keeps texts and names whole', `select 'a;''b;' as "c;d"; select 2`, [`select 'a;''b;' as "c;d"`, 'select 2']],
    [
      'keeps bodies whole',
      'do $$ begin a; end $$; do $x$ b; $$ c; $x$;',
      ['do $$ begin a; end $$', 'do $x$ b; $$ c; $x$'],
    ],
    [
      'is not cut in comments',
      `-- it's; so\nselect 1; /* a; 'b */ select 2`,
      [`-- it's; so\nselect 1`, `/* a; 'b */ select 2`],
    ],
    ['leaves out what says nothing', ';; -- the end;\n', []],
  ]
  for (const [what, script, statements] of cases) test(what, () => assert.deepEqual(splitSql(script), statements))
})
