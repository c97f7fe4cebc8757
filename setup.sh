#!/bin/sh
# Everything that a fresh Debian 12 or 13 needs to run, test and measure Toolrest. See ./setup.sh help.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# What is missing is found by asking dpkg, so that a second run needs no network.
to_build="gcc libc6-dev cmake ninja-build pkg-config libmicrohttpd-dev libjansson-dev libssl-dev
    libyaml-dev libpcre2-dev libcurl4-openssl-dev libxml2-dev ca-certificates tzdata"
to_run="$to_build curl"
to_test="$to_build libcmocka-dev zlib1g-dev python3 python3-jsonschema curl clang
    libclang-rt-dev clang-format"
to_measure="$to_build libcmocka-dev zlib1g-dev curl valgrind strace"

usage() {
    cat <<'END'
usage: ./setup.sh COMMAND

  run [ARGUMENT...]  build the release and start it: toolrest serve --dev ARGUMENT...
  test [PRESET]      build and run every test; PRESET is debug (the default), asan, tsan, release ...
  fuzz [SECONDS]     run every fuzz target for SECONDS (20)
  bench              measure against a bare HTTP server
  help               show this

Each command first installs the packages that it needs and that are missing, with apt-get, as root or
by sudo. test and fuzz end with a line "N passed, N failed".
END
}

say() {
    printf 'setup: %s\n' "$*" >&2
}

die() {
    say "$*"
    exit 1
}

# Run a command with its output in a log, which is shown when the command fails.
quietly() {
    mkdir -p "$root/build"
    log=$root/build/setup.log
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

missing_packages() {
    for package in "$@"; do
        case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) in
        *' installed') ;;
        *) printf '%s ' "$package" ;;
        esac
    done
}

install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "no dpkg here: I take it that these are installed: $*"
        return
    fi
    missing=$(missing_packages "$@")
    if [ -z "$missing" ]; then
        return
    fi
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        die "there is no sudo; run as root: apt-get install $missing"
    fi
    say "installing $missing"
    quietly as_root apt-get update -q || die "apt-get update failed"
    # The words of $missing are separate arguments.
    # shellcheck disable=SC2086
    quietly as_root apt-get install -q -y --no-install-recommends \
        -o DPkg::Lock::Timeout=300 $missing || die "apt-get install failed"
}

# build PRESET [cmake argument...]; a cache that does not fit (a moved folder) is thrown away.
build() {
    preset=$1
    say "building the preset $preset in $root/build/$preset"
    cd "$root"
    shift
    quietly cmake --preset "$preset" "$@" 2>/dev/null \
        || quietly cmake --fresh --preset "$preset" "$@" \
        && quietly cmake --build "build/$preset"
}

command_run() {
    # shellcheck disable=SC2086
    install_packages $to_run
    (build release -DBUILD_TESTING=OFF) || die "the build failed"
    say "starting toolrest serve --dev${*:+ $*}"
    exec "$root/build/release/toolrest" serve --dev "$@"
}

# The number in an attribute of the first element of a JUnit report.
count_of() {
    sed -n "s/.*$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1
}

command_test() {
    preset=${1:-debug}
    # shellcheck disable=SC2086
    install_packages $to_test
    if ! (build "$preset"); then
        say "the build failed"
        echo "0 passed, 1 failed"
        exit 1
    fi
    say "running the tests of the preset $preset"
    cd "$root"
    report=$root/build/$preset/report.xml
    rm -f "$report"
    result=0
    ctest --preset "$preset" --output-junit "$report" || result=$?
    if [ ! -s "$report" ]; then
        echo "0 passed, 1 failed"
        exit 1
    fi
    total=$(count_of tests "$report")
    failed=$(count_of failures "$report")
    left_out=$(($(count_of skipped "$report") + $(count_of disabled "$report")))
    if [ "$left_out" -gt 0 ]; then
        say "$left_out left out, see above"
    fi
    echo "$((total - failed - left_out)) passed, $failed failed"
    exit "$result"
}

command_fuzz() {
    # shellcheck disable=SC2086
    install_packages $to_test
    if ! (build fuzz); then
        say "the build failed"
        echo "0 passed, 1 failed"
        exit 1
    fi
    exec "$root/tests/fuzz/run.sh" "$root/build/fuzz" "${1:-20}"
}

command_bench() {
    # shellcheck disable=SC2086
    install_packages $to_measure
    exec "$root/tests/bench/run.sh" "$@"
}

main() {
    command=${1:-help}
    [ $# -eq 0 ] || shift
    case $command in
    run) command_run "$@" ;;
    test) command_test "$@" ;;
    fuzz) command_fuzz "$@" ;;
    bench) command_bench "$@" ;;
    help | -h | --help) usage ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
}

main "$@"
