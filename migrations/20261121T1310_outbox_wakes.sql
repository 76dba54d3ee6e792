-- An area's own work can be made due by a request: the outbox carries the wake for whoever does it. `name` is the
-- drain, and the payload its key.
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in ('event', 'job', 'wake'));
alter table outbox drop constraint outbox_lane;
alter table outbox add constraint outbox_lane check ((kind = 'event') = (lane is null));
