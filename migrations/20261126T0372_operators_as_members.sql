-- locks: mail_settings for a moment, to which a column with a constant default is added

-- Whether members are told by mail that an operator has logged in as them.
alter table mail_settings add column operator_sessions_mailed boolean not null default true;
