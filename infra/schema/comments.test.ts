import { expect, test } from 'vitest'
import { commentsOf } from './comments.ts'

test('a table, its columns and those that a later migration adds have the comments that stand before them', () => {
  const first = `-- About the whole file.

-- What a team writes,
-- about a member.
create table notes (
  project_id uuid not null,
  -- In plain
  -- words.
  text text not null,
  -- Not a column: a rule.
  constraint notes_text check (text <> ''),
  primary key (project_id, text)
);
-- An index.
create index notes_by_text on notes (text);
create table others (
  id uuid
);`
  const second = `-- Shown first.
alter table notes add column pinned boolean;
alter table notes
  -- Who wrote it.
  add column author_id uuid,
  add column words integer;
-- Not a column.
alter table notes drop column words;`
  expect(
    Object.fromEntries(
      commentsOf([
        ['1_first.sql', first],
        ['2_second.sql', second],
      ]),
    ),
  ).toEqual({
    notes: {
      file: '1_first.sql',
      table: 'What a team writes, about a member.',
      columns: { text: 'In plain words.', pinned: 'Shown first.', author_id: 'Who wrote it.' },
    },
    others: { file: '1_first.sql', table: '', columns: {} },
  })
})
