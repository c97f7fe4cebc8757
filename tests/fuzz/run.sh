#!/bin/sh
# Run every fuzz target of a build for a while: run.sh BUILD_FOLDER SECONDS
# Inputs that crash are kept in BUILD_FOLDER/fuzz; ends with a line "N passed, N failed".
set -u
build=$1
seconds=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$build/fuzz
passed=0
failed=0

for target in "$build"/tests/fuzz/fuzz_*; do
    [ -x "$target" ] || continue
    name=${target##*/fuzz_}
    mkdir -p "$work/$name"
    echo "== $name for $seconds s"
    if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
        -dict="$here/seeds/$name.dict" -artifact_prefix="$work/$name-" -verbosity=0 \
        -print_final_stats=1 "$work/$name" "$here/seeds/$name"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
