-- Prices are stored in the smallest unit of their currency, by the digits of ISO 4217. They were stored by the digits of
-- CLDR, which are fewer where coins are out of use. The codes of currencies that are gone have two digits from now on.
alter table plan_versions no force row level security;
update plan_versions set price_minor = price_minor * case currency when 'iqd' then 1000 else 100 end
  where currency in (
    'afn', 'all', 'cop', 'huf', 'idr', 'iqd', 'irr', 'kpw', 'lak', 'lbp', 'mga', 'mmk', 'pkr', 'sos', 'syp', 'yer',
    'adp', 'byr', 'esp', 'itl', 'luf', 'mgf', 'mro', 'sll', 'std', 'tmm', 'trl', 'zmk', 'zwd'
  );
alter table plan_versions force row level security;
