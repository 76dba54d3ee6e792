-- locks: foreign_signing_keys for a moment

-- A key of another cell that others may know is ended here by the command of operators.
grant select, delete on foreign_signing_keys to guildhall_operator;
