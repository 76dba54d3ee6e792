-- locks: only stream_tickets, for the moment in which a column is added

-- The claims of the operator token by which a ticket was asked for; null for members and keys. The stream ends with the session and the role.
alter table stream_tickets add column operator jsonb;
