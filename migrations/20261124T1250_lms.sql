-- Courses: what is taught, who is enrolled, how far each has come, and what they were certified.

-- What is taught: modules of lessons, for a price or for nothing.
create table courses (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  title text not null,
  slug text not null,
  description text not null default '',
  thumbnail_file_id uuid,
  category text not null default '',
  level text not null default 'beginner' check (level in ('beginner', 'intermediate', 'advanced')),
  duration_hours double precision not null default 0 check (duration_hours >= 0),
  price_minor bigint not null default 0 check (price_minor between 0 and 99999999999),
  currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
  -- Access ends so many days after the enrollment.
  access_days integer check (access_days > 0),
  -- So many may be enrolled and not yet done at a time.
  capacity integer check (capacity > 0),
  certificates boolean not null default true,
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint courses_slug_key unique (project_id, slug),
  constraint courses_thumbnail_fkey foreign key (project_id, thumbnail_file_id)
    references files (project_id, id) on delete set null (thumbnail_file_id)
);
create index courses_by_status on courses (project_id, status, id);
create index courses_by_thumbnail on courses (project_id, thumbnail_file_id) where thumbnail_file_id is not null;
create index courses_by_level on courses (project_id, status, level, id);
create index courses_by_category on courses (project_id, status, category, id);
call app.tenant_table('courses');

-- Which courses have to be completed before one can be enrolled in another.
create table course_prerequisites (
  project_id uuid not null,
  course_id uuid not null,
  required_course_id uuid not null,
  primary key (project_id, course_id, required_course_id),
  constraint course_prerequisites_course_fkey foreign key (project_id, course_id)
    references courses (project_id, id) on delete cascade,
  constraint course_prerequisites_required_fkey foreign key (project_id, required_course_id)
    references courses (project_id, id) on delete cascade
);
create index course_prerequisites_by_required on course_prerequisites (project_id, required_course_id);
call app.tenant_table('course_prerequisites');

-- A part of a course.
create table course_modules (
  project_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  title text not null,
  description text not null default '',
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  -- What a lesson refers to, so that both are of one course.
  constraint course_modules_course_key unique (project_id, course_id, id),
  constraint course_modules_course_fkey foreign key (project_id, course_id)
    references courses (project_id, id) on delete cascade
);
call app.tenant_table('course_modules');

-- A lesson of a module. What it takes to complete it is said by its rule.
create table lessons (
  project_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  module_id uuid not null,
  title text not null,
  type text not null check (type in ('video', 'text', 'quiz', 'file')),
  -- Markdown, and the safe HTML that was made of it.
  content text not null default '',
  content_html text not null default '',
  url text,
  file_id uuid,
  captions jsonb not null default '[]',
  duration_minutes double precision check (duration_minutes >= 0),
  completion_rule text not null check (completion_rule in ('view', 'percent', 'quiz', 'manual')),
  -- Whether the course is complete without it.
  required boolean not null default true,
  -- It opens so many days after the enrollment.
  drip_days integer not null default 0 check (drip_days >= 0),
  position integer not null,
  -- Gone for everybody; a job removes what members did in it.
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint lessons_module_fkey foreign key (project_id, course_id, module_id)
    references course_modules (project_id, course_id, id) on delete cascade,
  constraint lessons_file_fkey foreign key (project_id, file_id)
    references files (project_id, id) on delete set null (file_id)
);
create index lessons_of_course on lessons (project_id, course_id, id);
create index lessons_by_file on lessons (project_id, file_id) where file_id is not null;
call app.tenant_table('lessons');

-- A member in a course.
create table enrollments (
  project_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  member_id uuid not null,
  status text not null default 'active' check (status in ('active', 'completed', 'expired', 'canceled')),
  -- Of all that is required, rounded down. Of a completed one it stays as it is.
  progress_percentage integer not null default 0 check (progress_percentage between 0 and 100),
  -- Who enrolled: the member, a key, or a grant.
  source text not null check (source in ('self', 'key', 'grant')),
  enrolled_at timestamptz not null,
  expires_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null,
  -- What it rests on, and ends with: an order line, a feature, a key's word, or that the course was free.
  basis text not null default 'free' check (basis in ('order_line', 'feature', 'key', 'free')),
  basis_id text,
  -- All that it could rest on, as far as it is remembered (packages/areas/src/lms/enrollments/access-bases.ts).
  access jsonb not null default '{"list": []}',
  -- Who ended it before its basis did: the member, or a key, whose word only a key takes back.
  closed_by text check (closed_by in ('member', 'key')),
  primary key (project_id, id),
  constraint enrollments_member_key unique (project_id, course_id, member_id),
  constraint enrollments_course_fkey foreign key (project_id, course_id) references courses (project_id, id),
  constraint enrollments_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade
) with (fillfactor = 85);
create index enrollments_of_member on enrollments (project_id, member_id, id);
create index enrollments_of_course on enrollments (project_id, course_id, id);
create index enrollments_by_expiry on enrollments (project_id, expires_at) where status = 'active' and expires_at is not null;
call app.tenant_table('enrollments');

-- How far a member has come in a lesson. It never goes back, unless it is reset.
create table lesson_progress (
  project_id uuid not null,
  id uuid not null,
  enrollment_id uuid not null,
  member_id uuid not null,
  lesson_id uuid not null,
  progress_percentage integer not null default 0 check (progress_percentage between 0 and 100),
  last_position double precision,
  completed_at timestamptz,
  updated_at timestamptz not null,
  -- What a key has completed stays completed when a member starts the lesson again.
  completed_by_key boolean not null default false,
  primary key (project_id, enrollment_id, lesson_id),
  constraint lesson_progress_enrollment_fkey foreign key (project_id, enrollment_id)
    references enrollments (project_id, id) on delete cascade,
  constraint lesson_progress_lesson_fkey foreign key (project_id, lesson_id)
    references lessons (project_id, id) on delete cascade
) with (fillfactor = 85);
create index lesson_progress_of_lesson on lesson_progress (project_id, lesson_id);
create index lesson_progress_of_member on lesson_progress (project_id, member_id, id);
call app.tenant_table('lesson_progress');

-- The quiz of a lesson.
create table quizzes (
  project_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  lesson_id uuid not null,
  -- The questions that new attempts get; see quiz_versions.
  version integer not null default 1,
  pass_percentage integer not null check (pass_percentage between 0 and 100),
  max_attempts integer check (max_attempts > 0),
  time_limit_seconds integer check (time_limit_seconds > 0),
  shuffle boolean not null default true,
  -- Null: right answers are shown after a passed attempt or after the last one, which is the default.
  reveal_answers boolean,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint quizzes_lesson_key unique (project_id, lesson_id),
  constraint quizzes_lesson_fkey foreign key (project_id, lesson_id)
    references lessons (project_id, id) on delete cascade
);
call app.tenant_table('quizzes');

-- Questions with their right answers, and how many of each pool are drawn. A change makes a new version: an attempt is
-- graded by the questions that it was given.
create table quiz_versions (
  project_id uuid not null,
  quiz_id uuid not null,
  version integer not null,
  questions jsonb not null,
  pools jsonb not null,
  created_at timestamptz not null,
  primary key (project_id, quiz_id, version),
  constraint quiz_versions_quiz_fkey foreign key (project_id, quiz_id)
    references quizzes (project_id, id) on delete cascade
);
call app.tenant_table('quiz_versions');

-- One attempt of a member: the questions that were drawn, the answers, and the points.
create table quiz_attempts (
  project_id uuid not null,
  id uuid not null,
  quiz_id uuid not null,
  version integer not null,
  enrollment_id uuid not null,
  member_id uuid not null,
  number integer not null check (number > 0),
  -- Says which questions were drawn, and in which order.
  seed bigint not null,
  started_at timestamptz not null,
  expires_at timestamptz,
  submitted_at timestamptz,
  answers jsonb,
  points double precision,
  max_points double precision,
  percentage integer check (percentage between 0 and 100),
  passed boolean,
  primary key (project_id, id),
  constraint quiz_attempts_number_key unique (project_id, enrollment_id, quiz_id, number),
  constraint quiz_attempts_version_fkey foreign key (project_id, quiz_id, version)
    references quiz_versions (project_id, quiz_id, version) on delete cascade,
  constraint quiz_attempts_enrollment_fkey foreign key (project_id, enrollment_id)
    references enrollments (project_id, id) on delete cascade
);
create index quiz_attempts_of_quiz on quiz_attempts (project_id, quiz_id);
create index quiz_attempts_of_member on quiz_attempts (project_id, member_id, id);
create index quiz_attempts_of_version on quiz_attempts (project_id, quiz_id, version);
call app.tenant_table('quiz_attempts');

-- What was certified, in the words of that day. It stays when its course changes or its member is forgotten.
create table certificates (
  project_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  enrollment_id uuid,
  member_id uuid not null,
  member_name text not null,
  course_title text not null,
  -- 80 random bits.
  code bytea not null,
  issued_at timestamptz not null,
  revoked_at timestamptz,
  revoked_reason text,
  primary key (project_id, id),
  constraint certificates_code_key unique (code),
  constraint certificates_member_key unique (project_id, course_id, member_id),
  constraint certificates_course_fkey foreign key (project_id, course_id) references courses (project_id, id),
  constraint certificates_enrollment_fkey foreign key (project_id, enrollment_id)
    references enrollments (project_id, id) on delete set null (enrollment_id),
  constraint certificates_member_fkey foreign key (project_id, member_id) references members (project_id, id)
);
create index certificates_of_enrollment on certificates (project_id, enrollment_id) where enrollment_id is not null;
create index certificates_of_member on certificates (project_id, member_id, id);
call app.tenant_table('certificates');

-- Whoever verifies a certificate knows its code and nothing else: this answers whose it is, to whoever knows all of it.
do $$
begin
  execute format('create policy verify on certificates for select to %I using (true)', current_user);
end $$;
create function app.certificate_project(sought_code bytea) returns uuid
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
  begin atomic
    select c.project_id from certificates c where c.code = sought_code;
  end;
revoke execute on function app.certificate_project from public;
grant execute on function app.certificate_project to guildhall_api;

-- What a member thinks of a course.
create table course_ratings (
  project_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  member_id uuid not null,
  rating integer not null check (rating between 1 and 5),
  text text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint course_ratings_member_key unique (project_id, course_id, member_id),
  constraint course_ratings_course_fkey foreign key (project_id, course_id) references courses (project_id, id),
  constraint course_ratings_member_fkey foreign key (project_id, member_id) references members (project_id, id)
);
create index course_ratings_of_course on course_ratings (project_id, course_id, id);
create index course_ratings_of_member on course_ratings (project_id, member_id, id);
call app.tenant_table('course_ratings');

-- Enrollments of each course by status, kept exact by the triggers below: a list of courses counts nothing. Each backend adds to a
-- slot of its own, so that members of one course do not queue for one row.
create table enrollment_counts (
  project_id uuid not null,
  course_id uuid not null,
  status text not null,
  slot smallint not null default pg_backend_pid() % 8,
  enrollments bigint not null,
  primary key (project_id, course_id, status, slot),
  foreign key (project_id, course_id) references courses (project_id, id) on delete cascade
) with (fillfactor = 50);
call app.tenant_table('enrollment_counts');

-- Ratings of each course and the sum of their stars, kept in the same way.
create table rating_counts (
  project_id uuid not null,
  course_id uuid not null,
  slot smallint not null,
  ratings bigint not null,
  stars bigint not null,
  primary key (project_id, course_id, slot),
  foreign key (project_id, course_id) references courses (project_id, id) on delete cascade
) with (fillfactor = 50);
call app.tenant_table('rating_counts');

create function app.enrollment_counted() returns trigger language plpgsql as $$
begin
  insert into enrollment_counts as c (project_id, course_id, status, enrollments)
    select moved.project_id, moved.course_id, moved.status, moved.step
    from (
      select old.project_id, old.course_id, old.status, -1 as step where tg_op <> 'INSERT'
      union all select new.project_id, new.course_id, new.status, 1 where tg_op <> 'DELETE'
    ) as moved
    order by moved.status
    on conflict (project_id, course_id, status, slot) do update set enrollments = c.enrollments + excluded.enrollments;
  return null;
end $$;
create trigger enrollment_added after insert or delete on enrollments
  for each row execute function app.enrollment_counted();
create trigger enrollment_moved after update of status on enrollments
  for each row when (old.status is distinct from new.status) execute function app.enrollment_counted();

create function app.rating_counted() returns trigger language plpgsql as $$
begin
  insert into rating_counts as c (project_id, course_id, slot, ratings, stars)
    values (
      coalesce(new.project_id, old.project_id),
      coalesce(new.course_id, old.course_id),
      pg_backend_pid() % 8 + 2,
      (case when new.id is null then 0 else 1 end) - (case when old.id is null then 0 else 1 end),
      coalesce(new.rating, 0) - coalesce(old.rating, 0)
    )
    on conflict (project_id, course_id, slot) do update
      set ratings = c.ratings + excluded.ratings, stars = c.stars + excluded.stars;
  return null;
end $$;
create trigger rating_counted after insert or delete or update of rating on course_ratings
  for each row execute function app.rating_counted();
