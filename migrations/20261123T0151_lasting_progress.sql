-- What a key has completed stays completed when a member starts the lesson again. Of earlier rows it is not known: what only
-- a key can complete, or a passed quiz, is known by the rule of the lesson.
alter table lesson_progress add column completed_by_key boolean not null default false;

-- Null: right answers are shown after a passed attempt or after the last one, which is the default.
-- contract: the version before names reveal_answers in each insert, and shows null as false
alter table quizzes alter column reveal_answers drop not null;
alter table quizzes alter column reveal_answers drop default;
