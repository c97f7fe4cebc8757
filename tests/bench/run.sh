#!/bin/bash
# Measure the gateway's whole POST pipeline against a bare libmicrohttpd server that answers the same
# body: same library, same settings, same number of threads, interleaved rounds, medians. A second bare
# server sends the gateway's headers too, so that their price can be told from that of the work. Before
# that, calls that ask an upstream against a libcurl multi loop that does nothing else.
#
#   tests/bench/run.sh            everything, in about two minutes
#   ROUNDS=9 REQUESTS=200000 CONNECTIONS=64 THREADS=1 tests/bench/run.sh
#
# Ends with the lines `ratio outbound cpu: X.XX`, `ratio cpu: X.XX` and `instructions per request: N`. What needs valgrind or strace
# is left out, and said so, where they are missing. Stops whatever it started.
set -euo pipefail

rounds=${ROUNDS:-5}
requests=${REQUESTS:-100000}
connections=${CONNECTIONS:-64}
threads=${THREADS:-1}
tool=${TOOL:-echo}
parameters=${PARAMETERS:-'{"text": "the quick brown fox jumps over the lazy dog", "repeat": 2, "upper": true, "suffix": "!"}'}

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/release
bin=$build/tests/bench
no_string_instructions=glibc.cpu.x86_rep_stosb_threshold=1000000000
no_string_instructions+=:glibc.cpu.x86_rep_movsb_threshold=1000000000
work=$(mktemp -d)
started=()

finish() {
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

die() {
    printf 'bench: %s\n' "$*" >&2
    exit 1
}

# Every command that could hang has an end.
bounded() {
    timeout --kill-after=5 120 "$@"
}

build_all() {
    cd "$root"
    {
        cmake --preset release
        cmake --build "$build" --target toolrest fixtures bench_bare bench_load bench_multi test_peer
    } >"$work/build.log" 2>&1 || {
        cat "$work/build.log" >&2
        die "the build failed"
    }
}

# ---- the scene: one request, two servers ----

write_request() {
    key=bench-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    printf 'POST /tools/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n' "$tool" "$key"
    printf 'Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' "${#parameters}" "$parameters"
} >"$work/request"

write_configuration() {
    cat >"$work/toolrest.yaml" <<END
server: {listen: "127.0.0.1:$port", threads: $threads, access_log: true}
auth: {keys: [{name: bench, sha256: $(printf %s "$key" | sha256sum | cut -d' ' -f1), tools: ["*"]}]}
plugins: ["$build/plugins/fixtures.so"]
suites: {web: {network: {allow_private: true}}}
END
}

# Start a server and wait until it answers: start_server NAME COMMAND...; leaves its pid in $pid.
start_server() {
    local name=$1
    shift
    "$@" >"$work/$name.out" 2>"$work/$name.err" &
    pid=$!
    started+=("$pid")
}

wait_for_port() {
    for _ in $(seq 200); do
        if (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then
            return
        fi
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    cat "$work"/*.err >&2
    die "the server on port $1 did not start"
}

# start_gateway WRAPPER...: started by a wrapper such as valgrind, or env for none; leaves $pid and $port.
start_gateway() {
    port=$("$bin/bench_load" free-port)
    write_configuration
    start_server gateway "$@" "$build/toolrest" serve --config "$work/toolrest.yaml"
    wait_for_port "$port"
}

# start_bare WRAPPER...: the same, with the Content-Type alone.
start_bare() {
    start_repeater bare "$@" "$bin/bench_bare" "$threads" "$work/answer"
}

# start_dressed WRAPPER...: the same, with all of the gateway's headers.
start_dressed() {
    start_repeater dressed "$@" "$bin/bench_bare" "$threads" "$work/answer" "$work/headers"
}

# start_repeater NAME COMMAND...: a server on its own that says its port.
start_repeater() {
    start_server "$@"
    for _ in $(seq 200); do
        [[ -s $work/$1.out ]] && break
        sleep 0.1
    done
    port=$(<"$work/$1.out")
    wait_for_port "${port:-0}"
}

stop_server() {
    kill "$pid"
    wait "$pid" || true
}

# The gateway's answer to the request, for the bare servers to repeat.
fetch_answer() {
    curl --silent --show-error --fail --max-time 10 --output "$work/answer" --dump-header "$work/head" \
        -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
        --data "$parameters" "http://127.0.0.1:$port/tools/$tool" \
        || die "the gateway does not answer: $(cat "$work/gateway.err")"
    grep -viE '^(HTTP/|Date:|Content-Type:|Content-Length:|Connection:)' "$work/head" >"$work/headers"
}

# ---- measuring ----

# User and system time of a process, in microseconds.
cpu_us() {
    awk -v ticks="$(getconf CLK_TCK)" '{
        sub(/.*\) /, "")
        printf "%.0f\n", ($12 + $13) * 1000000 / ticks
    }' "/proc/$1/stat"
}

# One round against a running server: appends "REQUESTS_PER_SECOND CPU_US_PER_REQUEST" to the file NAME.
round() {
    local name=$1 pid=$2 port=$3 before after rate
    before=$(cpu_us "$pid")
    rate=$(bounded "$bin/bench_load" "$port" "$connections" "$requests" "$work/request")
    after=$(cpu_us "$pid")
    awk -v rate="${rate% *}" -v cpu="$((after - before))" -v count="$requests" \
        'BEGIN { printf "%d %.2f\n", rate, cpu / count }' >>"$work/$name"
}

# median COLUMN FILE
median() {
    awk -v column="$1" '{ print $column }' "$2" | sort -n \
        | awk '{ all[NR] = $1 } END { print (all[int((NR + 1) / 2)] + all[int((NR + 2) / 2)]) / 2 }'
}

measure_cpu() {
    local name
    local -A pids ports
    for name in gateway bare dressed; do
        "start_$name" env
        pids[$name]=$pid ports[$name]=$port
        [[ -s $work/answer ]] || fetch_answer
    done
    for _ in $(seq "$rounds"); do
        for name in bare dressed gateway; do
            round "$name.rounds" "${pids[$name]}" "${ports[$name]}"
        done
    done
    printf '%d rounds of %d requests on %d connections, %d event thread(s), %d bytes in, %d out\n' \
        "$rounds" "$requests" "$connections" "$threads" "${#parameters}" "$(wc -c <"$work/answer")"
    for name in bare dressed gateway; do
        printf '%-8s %8.0f requests/s  %6.2f us CPU per request\n' "$name" \
            "$(median 1 "$work/$name.rounds")" "$(median 2 "$work/$name.rounds")"
    done
    measure_syscalls "${pids[gateway]}" "${ports[gateway]}"
    for pid in "${pids[@]}"; do
        stop_server
    done
    printf 'access log: %d lines, %d lost\n' "$(grep -c '"time"' "$work/gateway.out")" \
        "$(sed -n 's/.*"lost_lines":\([0-9]*\).*/\1/p' "$work/gateway.out" | awk '{ n += $1 } END { print n + 0 }')"
}

# The same upstream asked by the gateway for its callers, and by a bare loop: the gateway's price has
# the request that it serves in it.
measure_outbound() {
    local name url upstream gateway gateway_port requests=$((requests / 5))
    start_repeater upstream "$build/tests/peer/test_peer" 0
    upstream=$pid url=http://127.0.0.1:$port/status/200
    local tool=http_request parameters="{\"url\": \"$url\"}"
    write_request
    start_gateway env
    gateway=$pid gateway_port=$port
    for _ in $(seq "$rounds"); do
        bounded "$bin/bench_multi" "$url" "$connections" "$requests" \
            | awk '{ print $1, $3 }' >>"$work/loop.rounds"
        round outbound.rounds "$gateway" "$gateway_port"
    done
    printf '%d rounds of %d calls that ask an upstream, on %d connections\n' \
        "$rounds" "$requests" "$connections"
    for name in loop outbound; do
        printf '%-8s %8.0f requests/s  %6.2f us CPU per request\n' "$name" \
            "$(median 1 "$work/$name.rounds")" "$(median 2 "$work/$name.rounds")"
    done
    for pid in "$gateway" "$upstream"; do
        stop_server
    done
}

# ratio OF TO: CPU per request.
ratio() {
    awk -v of="$(median 2 "$work/$1.rounds")" -v to="$(median 2 "$work/$2.rounds")" \
        'BEGIN { printf "%.2f\n", of / to }'
}

# System calls of a running server per request, idle ones included.
measure_syscalls() {
    local pid=$1 port=$2 tracer count=2000
    if ! command -v strace >/dev/null; then
        echo "syscalls per request: not measured, strace is missing"
        return
    fi
    strace -f -c -o "$work/strace" -p "$pid" 2>"$work/strace.err" &
    tracer=$!
    started+=("$tracer")
    for _ in $(seq 50); do
        grep -q attached "$work/strace.err" && break
        sleep 0.1
    done
    bounded "$bin/bench_load" "$port" "$connections" "$count" "$work/request" >/dev/null
    kill -INT "$tracer" 2>/dev/null || true
    wait "$tracer" || true
    awk -v count="$count" '$NF == "total" { printf "syscalls per request: %.2f\n", $4 / count; found = 1 }
        END { if (!found) print "syscalls per request: not measured, strace could not attach" }' \
        "$work/strace"
}

# Instructions that a server runs for so many requests, its start and end included. callgrind counts
# each byte of a `rep stosb` as an instruction, so the C library must not clear memory by it.
instructions_for() {
    local start=$1 count=$2
    "$start" env GLIBC_TUNABLES="$no_string_instructions" \
        valgrind --quiet --tool=callgrind --callgrind-out-file="$work/callgrind"
    bounded "$bin/bench_load" "$port" "$connections" "$count" "$work/request" >/dev/null
    stop_server
    awk '$1 == "summary:" || $1 == "totals:" { print $2; exit }' "$work/callgrind"
}

# instructions_of START_FUNCTION: per request, from two runs of different length.
instructions_of() {
    local short=500 long=2500 few many
    instructions_for "$1" "$short" >"$work/few"
    instructions_for "$1" "$long" >"$work/many"
    few=$(<"$work/few") many=$(<"$work/many")
    echo $(((many - few) / (long - short)))
}

main() {
    build_all
    measure_outbound
    write_request
    measure_cpu
    if command -v valgrind >/dev/null; then
        instructions_of start_bare >"$work/bare.instructions"
        instructions_of start_gateway >"$work/gateway.instructions"
        printf 'bare: instructions per request %s\n' "$(<"$work/bare.instructions")"
    else
        echo "not measured, valgrind is missing" >"$work/gateway.instructions"
    fi
    printf 'ratio outbound cpu: %s\n' "$(ratio outbound loop)"
    printf 'ratio cpu, the headers counted as no work: %s\n' "$(ratio gateway dressed)"
    printf 'ratio cpu: %s\n' "$(ratio gateway bare)"
    printf 'instructions per request: %s\n' "$(<"$work/gateway.instructions")"
}

main "$@"
