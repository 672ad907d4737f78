#!/bin/sh
# A login for the relayer that can do nothing else, made with the database when RELAYER_PASSWORD is set.
set -eu
[ -n "${RELAYER_PASSWORD:-}" ] || exit 0
psql --set ON_ERROR_STOP=1 --set password="$RELAYER_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role headwater_relayer nologin;
create role relayer login password :'password' in role headwater_relayer;
SQL
