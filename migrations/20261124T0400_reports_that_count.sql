-- A report counts unless it is the author's own, or its member reported the post before a moderator approved it. A case counts
-- the reports that count.
alter table reports add column counts boolean not null default true;

create or replace function app.report_gone() returns trigger language plpgsql as $$
begin
  if old.counts then
    update moderation_cases set reports = reports - 1 where project_id = old.project_id and id = old.case_id;
  end if;
  return null;
end $$;

-- The same for open cases of before. What they have hidden stays hidden until a moderator decides.
alter table reports no force row level security;
alter table moderation_cases no force row level security;
alter table discussions no force row level security;
alter table comments no force row level security;
update reports r set counts = false
from moderation_cases k
join discussions d on d.project_id = k.project_id and d.id = k.discussion_id
left join comments t on t.project_id = k.project_id and t.id = k.comment_id
where k.project_id = r.project_id and k.id = r.case_id and k.decision is null
  and (r.member_id = coalesce(t.author_id, d.author_id) or exists (
    select from moderation_cases b join reports e on e.project_id = b.project_id and e.case_id = b.id
    where b.project_id = k.project_id and b.discussion_id = k.discussion_id and b.comment_id is not distinct from k.comment_id
      and b.decision = 'approved' and e.member_id = r.member_id));
update moderation_cases k set reports = k.reports - n.uncounted
from (select project_id, case_id, count(*)::int as uncounted from reports where not counts group by 1, 2) n
where k.project_id = n.project_id and k.id = n.case_id;
alter table reports force row level security;
alter table moderation_cases force row level security;
alter table discussions force row level security;
alter table comments force row level security;
