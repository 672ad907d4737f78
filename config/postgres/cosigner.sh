#!/bin/sh
# A login for the CPU cosigner that can do nothing else, made with the database when COSIGNER_PASSWORD is set.
set -eu
[ -n "${COSIGNER_PASSWORD:-}" ] || exit 0
psql --set ON_ERROR_STOP=1 --set password="$COSIGNER_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role headwater_cosigner nologin;
create role cosigner login password :'password' in role headwater_cosigner;
SQL
