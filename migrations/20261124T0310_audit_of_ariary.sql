-- The auditor tells payments in Malagasy ariary that Stripe took before its amounts were known: a version that has the auditor
-- charges right amounts.
grant select (provider_reference) on payments to guildhall_auditor;
grant select (name, applied_at) on schema_migrations to guildhall_auditor;
