-- locks: files, feedback and feedback_comments for a moment, to which columns without a default, or with a constant one, are added

-- Files of posts, and pictures among them.
alter table files
  -- What a member uploaded it for: `attachment` or `avatar`; null: nobody said.
  add column purpose text,
  -- Of a picture, as it is shown: the direction that its camera noted is applied. Null until a job has read it, and for what is no picture.
  add column width integer,
  add column height integer,
  -- Of its smaller size, whose object is beside its own. Null where there is none.
  add column preview_width integer,
  add column preview_height integer,
  add column preview_bytes integer;

-- The ids of attached files, as posts of discussions have them.
alter table feedback add column attachments uuid[] not null default '{}';
alter table feedback_comments add column attachments uuid[] not null default '{}';
