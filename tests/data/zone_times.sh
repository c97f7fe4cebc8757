#!/bin/sh
# Make zone_times.tsv anew: what GNU date says about moments in time zones, to judge our own reader of
# the same data by. One row is: zone, Unix time, local time, offset with seconds, abbreviation.
#
#   zone_times.sh [ZONE...] >zone_times.tsv
#
# Moments are spread over 1970 to 2022, which newer releases of the data hardly change, and lie on both
# sides of every change of the clocks in 2019 and 2020.
set -eu

zones=${*:-Africa/Abidjan Africa/Casablanca Africa/Johannesburg Africa/Lagos Africa/Monrovia
    America/Anchorage America/Argentina/Buenos_Aires America/Caracas America/Halifax
    America/Los_Angeles America/New_York America/Phoenix America/Santiago America/Sao_Paulo
    America/St_Johns Antarctica/Troll Asia/Gaza Asia/Jerusalem Asia/Kathmandu Asia/Kolkata
    Asia/Pyongyang Asia/Shanghai Asia/Tehran Asia/Tokyo Atlantic/Azores Australia/Lord_Howe
    Australia/Sydney Etc/GMT+5 Europe/Berlin Europe/Dublin Europe/Istanbul Europe/London
    Europe/Moscow Pacific/Apia Pacific/Auckland Pacific/Chatham Pacific/Kiritimati}

# Those whose past and future is settled enough to be looked at in other centuries.
settled='America/New_York Europe/Berlin Europe/London Asia/Tokyo'

moments() {
    seq 0 52963200 1640995200
    LC_ALL=C zdump -v -c 2019,2021 "$1" | sed -n 's/^[^ ]* *\(.*\) UT = .*/\1 UTC/p' |
        LC_ALL=C date -f - +%s | awk '$1 > 1546300000 && $1 < 1609500000'
    case " $settled " in
    *" $1 "*)
        printf '%s\n' -5000000000 -2422054408 -2717650800 -1500000000 -800000000 -100000000 \
            2145916800 2161000000 4102444800 4118000000 95617584000 253370764800
        ;;
    esac
}

# The Unix times come from our list: date's own %s goes back through the local time, which may be one of
# two. The offset -00:00:00 is date's way to say that nobody lived there yet.
list=$(mktemp)
trap 'rm -f "$list"' EXIT
for zone in $zones; do
    moments "$zone" | sort -n -u >"$list"
    sed 's/^/@/' "$list" | TZ=$zone LC_ALL=C date -f - +'%Y-%m-%dT%H:%M:%S	%::z	%Z' |
        paste "$list" - | sed "s,^,$zone	,; s,	-00:00:00,	+00:00:00,"
done
