#!/usr/bin/env bash
# What a newcomer meets: the README's two commands in a fresh, minimal Debian, from a clean clone of this checkout's last commit,
# cold. Needs root, debootstrap and a Debian mirror; without them it says so, and exits with 77 (not run).
#   ./check fresh                          both commands in Debian 12, then in 13
#   ./check fresh-trixie                   in one of them, by its name
#   ATTNSCOPE_FRESH_ROOT=DIR ./check fresh-trixie   in a root that is there already, or is made there and kept
#   DEBIAN_MIRROR=URL                      from another mirror than this machine's own
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."

notRun() { echo "fresh: not run: $1" >&2; exit 77; }
[ "$(id -u)" -eq 0 ] || notRun "making a Debian root needs root"
command -v debootstrap >/dev/null || notRun "debootstrap is not installed (apt-get install debootstrap)"
git rev-parse --verify -q HEAD >/dev/null || notRun "this is no git checkout, and a clean clone is what is tried"

suites=("$@")
[ $# -gt 0 ] || suites=(bookworm trixie)
if [ ${#suites[@]} -gt 1 ]; then
  [ -z "${ATTNSCOPE_FRESH_ROOT:-}" ] || notRun "ATTNSCOPE_FRESH_ROOT is one root: name the release that it is of, for example ./check fresh-trixie"
  for suite in "${suites[@]}"; do resources/setup/fresh.sh "$suite"; done
  exit
fi
suite=${suites[0]}

# Where this machine has its own Debian packages from.
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
  awk '$1 == "Debian" && $2 == "Debian" && !mirror { mirror = $3 } END { print mirror }')}
[ -n "$mirror" ] || notRun "apt names no Debian mirror here; DEBIAN_MIRROR=URL ./check fresh takes another"
root=${ATTNSCOPE_FRESH_ROOT:-}
kept=$root
[ -n "$root" ] || root=$(mktemp -d)
cleanUp() {
  for place in proc dev/shm dev; do mountpoint -q "$root/$place" && umount "$root/$place"; done
  [ -n "$kept" ] || rm -rf --one-file-system "$root"
}
trap cleanUp EXIT

if [ ! -x "$root/usr/bin/apt-get" ]; then
  echo "fresh: a minimal Debian, $suite, from $mirror in $root" >&2
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail -n 3 "$root.log" >&2; notRun "debootstrap could not make a root from $mirror; $root.log says why"; }
  rm -f "$root.log"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
rm -rf "$root/home/attnscope"
git clone -q . "$root/home/attnscope"

inRoot() { env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CI="${CI:-}" chroot "$root" /bin/bash -c "cd /home/attnscope && $1"; }
took() { echo "fresh: $suite: $1 took $((SECONDS / 60)) min $((SECONDS % 60)) s" >&2; }
SECONDS=0; inRoot ./run; took ./run
ls "$root"/home/attnscope/figures/*.pdf >/dev/null   # without a display ./run draws the gallery
SECONDS=0; inRoot ./check; took ./check
echo "fresh: $suite: both commands ran as printed" >&2
