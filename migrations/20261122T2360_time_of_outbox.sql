-- A relay takes the time of an event from its row of the outbox, and in fifo mode deliveries are sent in the order of these
-- times. As in the log of events, it is the time of the emit itself and not of the transaction's begin: of two events
-- about one row, the later one has the later time.
alter table outbox alter column created_at set default clock_timestamp();
