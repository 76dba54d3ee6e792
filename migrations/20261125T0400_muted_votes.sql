-- Whether the member of a vote gets mails about the item: a link in such a mail ends them.
alter table feedback_votes add column is_mailed boolean not null default true;
