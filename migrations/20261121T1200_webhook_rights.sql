-- What sending turned out to need besides.
-- The first failure after a success begins the announcements anew.
grant update (failing_announced) on webhook_endpoints to guildhall_webhooks;
-- A row that cannot be relayed is set aside; fifo mode does not wait for it.
grant select (retry_at) on outbox to guildhall_webhooks;
