-- locks: notifications against changes of the table; reads and writes go on
alter table notifications validate constraint notifications_target_type_check;
