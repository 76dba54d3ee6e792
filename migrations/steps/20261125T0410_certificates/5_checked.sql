-- locks: none that requests wait for, while rows are read
alter table certificates validate constraint certificates_replaced_by_fkey;
alter table certificates validate constraint certificates_replaced_by_another;
