-- Retries wait for deliveries that were not tried yet: `is_retry` says it, where `behind` did not.
alter table webhook_deliveries rename column behind to is_retry;
