#!/bin/sh
# pg-basebackup.sh BIN FOLDER: backs a PostgreSQL up with pg_basebackup and an archive of its write-ahead log, restores it
# to a time, and prints the rows that are there: what docs/operations.md tells operators to do. BIN has the programs of
# PostgreSQL; FOLDER is empty and belongs to the account that runs this, which is not root.
set -eu
bin=$1
folder=$2
cd "$folder"
mkdir archive sockets

start() {
  "$bin/pg_ctl" -s -w -D "$1" -l "$1.log" -o "-c listen_addresses='' -k $folder/sockets" start
}
ask() {
  "$bin/psql" -qAtX -v ON_ERROR_STOP=1 -h "$folder/sockets" -d postgres -c "$1"
}
stop_all() {
  for data in primary restored; do
    if [ -f "$data/postmaster.pid" ]; then "$bin/pg_ctl" -s -D "$data" -m immediate stop; fi
  done
}
trap stop_all EXIT

"$bin/initdb" -A trust -D primary >/dev/null
cat >>primary/postgresql.conf <<SETTINGS
archive_mode = on
archive_command = 'test ! -f $folder/archive/%f && cp %p $folder/archive/%f.part && mv $folder/archive/%f.part $folder/archive/%f'
SETTINGS
start primary
ask 'create table rows (what text)'
"$bin/pg_basebackup" -h "$folder/sockets" -D restored -c fast -X stream
ask "insert into rows values ('before')"
time=$(ask 'select clock_timestamp()')
sleep 1
ask "insert into rows values ('after')"
file=$(ask 'select pg_walfile_name(pg_switch_wal())')
while [ ! -f "archive/$file" ]; do sleep 0.1; done
"$bin/pg_ctl" -s -D primary -m immediate stop

cat >>restored/postgresql.auto.conf <<SETTINGS
restore_command = 'cp $folder/archive/%f %p'
recovery_target_time = '$time'
recovery_target_action = 'promote'
SETTINGS
touch restored/recovery.signal
start restored || { cat restored.log >&2; exit 1; }
while [ "$(ask 'select pg_is_in_recovery()')" = t ]; do sleep 0.1; done
ask 'select what from rows'
