-- locks: sessions, for the moment in which two columns without a value are added

-- When the member of a session last proved again to be there: it counts as a log-in of that moment where one is asked for.
alter table sessions add column proven_at timestamptz;
-- When an operator last did something in the console by hand. New tokens of the session are no such thing.
alter table sessions add column active_at timestamptz;
