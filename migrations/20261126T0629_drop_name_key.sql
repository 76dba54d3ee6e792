-- Names are compared by their words, without accents. The index of the column goes with it.
-- contract: the version before reads the column only in a function that was replaced before this
-- locks: profiles against everybody, for a moment: no row is read
alter table profiles drop column name_key;
