#!/bin/sh
# Make .venv hold what a lock file names, and do nothing when it already does.
#
#   scripts/venv.sh requirements.lock
#
# Every file that pip takes must have one of the hashes that the lock names (`make lock` writes it).
# What was installed is remembered by content, so an edited, reverted or freshly
# checked out lock is judged by what it says, not by its date.
# An interrupted installation is simply repeated.
set -eu

wanted=$1
python=.venv/bin/python
stamp=.venv/installed-$(basename "$wanted")

say() { printf '%s\n' "$*"; }
stop() { say "$*" >&2; exit 1; }
recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
# Debian ships `venv` without `ensurepip`, which leaves an environment that has no pip.
complete() { "$1" -c 'import venv, ensurepip' >/dev/null 2>&1; }

find_python() {
    lacking=
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11 python3.14 python; do
        recent "$candidate" || continue
        if complete "$candidate"; then
            found=$candidate
            return
        fi
        lacking=${lacking:-$candidate}
    done
    if [ -n "$lacking" ]; then
        version=$("$lacking" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        stop "$lacking (Python $version) cannot make virtual environments: the venv module is not complete." \
            "On Debian and Ubuntu: apt-get install python3-venv (or python$version-venv)."
    fi
    stop "Partwise needs Python 3.11 or newer, and none was found on PATH." \
        "Install it, or say where it is: make run PYTHON=/path/to/python3"
}

# Write down every second of the packages that the lock names, beginning with the first (1) or the next (0).
write_half() { awk -v half="$1" '/^[^ ]/ { n++ } n % 2 == half' "$wanted" >".venv/half-$1.lock"; }

contents() {
    "$python" -V
    cat "$wanted"
}

if ! recent "$python" || ! "$python" -c 'import pip' >/dev/null 2>&1; then
    find_python
    say "Making .venv with $("$found" -V) ..."
    rm -rf .venv
    "$found" -m venv .venv || stop "Making .venv failed; the lines above say why."
fi

if [ -f "$stamp" ] && contents | cmp -s - "$stamp"; then
    exit 0
fi

say "Installing $wanted into .venv; the first time this takes a minute or two ..."
# The lock names every package, so there are no others to look for. Two pips share them, for each unpacks on one
# processor; compiling is left to all.
write_half 0
write_half 1
set -- "$python" -m pip install --quiet --disable-pip-version-check --no-input --require-hashes --no-deps --no-compile -r
"$@" .venv/half-0.lock </dev/null &
beside=$!
# A process in the background does not hear Ctrl-C by itself.
trap 'kill "$beside" 2>/dev/null; exit 1' INT TERM
failed=
"$@" .venv/half-1.lock </dev/null || failed=yes
wait "$beside" || failed=yes
trap - INT TERM
[ -z "$failed" ] || stop "Installing $wanted failed; the lines above say why. The next make tries again."
"$python" -m pip --disable-pip-version-check check >/dev/null ||
    stop "What $wanted names does not go together: see $python -m pip check."
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
# Who opens the app waits for nothing to be compiled; of what tests need as well they import less than half.
# Some packages bring files for other Pythons, which need not compile; their tests nobody runs here.
[ "$wanted" = requirements-dev.lock ] || "$python" -W ignore -m compileall -qq -j 0 -x '[/\\]tests[/\\]' "$packages" || true
contents >"$stamp"
