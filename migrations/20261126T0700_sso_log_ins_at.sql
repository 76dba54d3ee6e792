-- locks: sso_codes, for the moment in which a column without a value is added

-- When the person logged in at the provider, as the provider says; null: it does not say.
alter table sso_codes add column authenticated_at timestamptz;
