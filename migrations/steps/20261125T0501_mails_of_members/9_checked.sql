-- locks: none that requests wait for, while rows are read
alter table mails validate constraint mails_member_fkey;
