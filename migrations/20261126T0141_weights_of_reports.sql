-- locks: reports and moderation_cases for a moment, to which columns are added

-- What a report weighs, in hundredths: by how often its member was right before. Reports of before weigh 1.
alter table reports add column weight integer not null default 100 check (weight between 0 and 200);
-- Whether a moderator has removed the post for it; null while nobody has decided, and of reports that do not count.
alter table reports add column was_right boolean;
-- The sum of the weights of the reports that count, in hundredths.
alter table moderation_cases add column weight integer not null default 0;

-- A case counts and weighs the reports that there are: those of erased members are gone.
create or replace function app.report_gone() returns trigger language plpgsql as $$
begin
  if old.counts then
    update moderation_cases set reports = reports - 1, weight = greatest(0, weight - old.weight)
      where project_id = old.project_id and id = old.case_id;
  end if;
  return null;
end $$;
