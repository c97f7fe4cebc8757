#!/bin/sh
# Asks other people's validators about an OpenAPI document. Needs npm, and network on the first run.
#
# usage: lint_openapi.sh DOCUMENT [FOLDER]
#
# FOLDER keeps the validators for the next run; without it they go into one that is removed. Exits 77
# when there is no npm, so that it can be a step of a build that does without.
set -eu

if [ $# -lt 1 ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit 2
fi
document=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v npm >/dev/null; then
    echo "npm is missing: other people's validators are not asked"
    exit 77
fi

if [ $# -ge 2 ]; then
    folder=$2
    mkdir -p "$folder"
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
cd "$folder"
if [ ! -d node_modules/@redocly/cli ]; then
    npm install --silent --no-audit --no-fund --no-save \
        @redocly/cli@2.77.0 @seriousme/openapi-schema-validator@2.11.0
fi

export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
npx --no-install redocly lint --config "$here/openapi_redocly.yaml" "$document"
npx --no-install validate-api "$document"
