-- Invitations can be accepted by a 6-digit code, too, for those who cannot open the link where they want to come in.
alter table invitations
  -- A keyed hash, because a code has so few values that a plain one could be tried out.
  add column code_hash bytea,
  -- Wrong codes so far. Too many are the end of the code; the link stays good.
  add column code_attempts smallint not null default 0;
