-- What an enrollment rests on: an order line, a feature, a key's word, or that the course was free. It ends with it.
-- `access` is all that the enrollment remembers of what it could rest on (packages/areas/src/lms/enrollments/access-bases.ts).
-- `closed_by` says who ended it before that: the member, or a key, whose word only a key takes back.
-- contract: before the first release no version runs beside another
alter table enrollments
  add column basis text not null default 'free' check (basis in ('order_line', 'feature', 'key', 'free')),
  add column basis_id text,
  add column access jsonb not null default '{"list": []}',
  add column closed_by text check (closed_by in ('member', 'key'));

-- Whoever migrates owns these tables, and for a moment sees the rows of all projects.
alter table enrollments no force row level security;
alter table courses no force row level security;
update enrollments e
  set basis = b.type, basis_id = b.id,
    access = jsonb_build_object('list', jsonb_build_array(jsonb_build_object(
      'type', b.type, 'id', b.id, 'until', b.until, 'own', case b.type when 'order_line' then b.until end))),
    -- Who ended one is not known: its member may come back, nobody else brings it back.
    closed_by = case e.status when 'canceled' then 'member' end
  from (
    select o.project_id, o.id as enrollment_id, to_char(o.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as until,
      case when o.grant_id is not null then 'order_line' when o.source = 'key' then 'key'
        when c.price_minor > 0 then 'feature' else 'free' end as type,
      case when o.grant_id is not null then o.grant_id::text
        when o.source <> 'key' and c.price_minor > 0 then 'course:' || c.slug end as id
    from enrollments o join courses c on c.project_id = o.project_id and c.id = o.course_id
  ) as b
  where b.project_id = e.project_id and b.enrollment_id = e.id;
alter table enrollments force row level security;
alter table courses force row level security;

drop index enrollments_of_grant;
alter table enrollments drop column grant_type, drop column grant_id;
